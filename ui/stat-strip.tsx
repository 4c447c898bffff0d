import { Link } from 'react-router';
import { Icon, type IconDrawing } from './icon.tsx';
import { Tooltip } from './tooltip.tsx';

interface Stat {
  label: string;
  value: string;
  /** The maximum of `value` ('/5'). */
  of?: string;
  /** A small line below, e.g. the number of sales behind the value. */
  note?: string;
  icon?: IconDrawing;
  /** What the icon says when it is pointed at or focused; only without `href`. */
  help?: string;
  href?: string | undefined;
}

/** Key figures in one panel; a figure with an `href` is clickable as a whole. */
export function StatStrip({ stats }: { stats: readonly Stat[] }) {
  return (
    <div className="stats">
      {stats.map((stat) =>
        stat.href ? (
          <Link key={stat.label} to={stat.href}>
            <StatContent stat={stat} />
          </Link>
        ) : (
          <div key={stat.label}>
            <StatContent stat={stat} />
          </div>
        ),
      )}
    </div>
  );
}

function StatContent({ stat }: { stat: Stat }) {
  return (
    <>
      <p className="stat-label">
        {stat.label} {stat.icon && <StatIcon icon={stat.icon} help={stat.help} />}
      </p>
      <p className="stat-value">
        {stat.value}
        {stat.of && <small>{stat.of}</small>}
      </p>
      {stat.note && <p className="stat-note">{stat.note}</p>}
    </>
  );
}

function StatIcon({ icon, help }: { icon: IconDrawing; help: string | undefined }) {
  if (!help) return <Icon of={icon} />;
  return (
    <Tooltip text={help}>
      <button type="button" className="stat-help" aria-label={help}>
        <Icon of={icon} />
      </button>
    </Tooltip>
  );
}
