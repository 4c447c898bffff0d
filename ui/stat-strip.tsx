import { Link } from 'react-router';
import { Icon, type IconDrawing } from './icon.tsx';

export interface Stat {
  label: string;
  value: string;
  /** The whole of which `value` is a part ('/5'). */
  of?: string;
  /** A small line beneath: how many it is made of. */
  note?: string;
  icon?: IconDrawing;
  href?: string;
}

/** Figures in one panel cut by hairlines; a linked figure is a target as a whole. */
export function StatStrip({ stats }: { stats: readonly Stat[] }) {
  return (
    <div className="stats">
      {stats.map((stat) =>
        stat.href ? (
          <Link key={stat.label} to={stat.href}>
            <StatWords stat={stat} />
          </Link>
        ) : (
          <div key={stat.label}>
            <StatWords stat={stat} />
          </div>
        ),
      )}
    </div>
  );
}

function StatWords({ stat }: { stat: Stat }) {
  return (
    <>
      <p className="stat-label">
        {stat.label} {stat.icon && <Icon of={stat.icon} />}
      </p>
      <p className="stat-value">
        {stat.value}
        {stat.of && <small>{stat.of}</small>}
      </p>
      {stat.note && <p className="stat-note">{stat.note}</p>}
    </>
  );
}
