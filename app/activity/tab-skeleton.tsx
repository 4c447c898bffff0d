import { OwnSales } from '#features/purchases/components/own-sales.tsx';
import { Panel } from '#ui/panel.tsx';
import { CardGridSkeleton, TextSkeleton } from '#ui/skeleton.tsx';
import type { ActivityTab } from './tabs.ts';

const awaited: Record<Exclude<ActivityTab, 'transactions'>, string> = {
  recent: 'Loading properties...',
  watched: 'Loading properties...',
  inquiries: 'Loading inquiries...',
  notifications: 'Loading notifications...',
};

/** A tab that is on its way, in the shape of what will stand there (look §11). */
export function TabSkeleton({ tab }: { tab: ActivityTab }) {
  if (tab === 'transactions') return <OwnSales sales={undefined} older={false} />;
  if (tab === 'recent' || tab === 'watched') return <CardGridSkeleton label={awaited[tab]} />;
  return (
    <Panel title={tab === 'notifications' ? 'Property Notifications' : undefined} inset className="mt-0!">
      <div role="status" className="pt-6">
        <span className="vh">{awaited[tab]}</span>
        <TextSkeleton rows={8} />
      </div>
    </Panel>
  );
}
