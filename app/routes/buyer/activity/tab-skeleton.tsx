import { OwnSales } from '#features/sales/components/own-sales-table.tsx';
import { Panel } from '#ui/panel.tsx';
import { CardGridSkeleton, TextSkeleton } from '#ui/skeleton.tsx';
import type { ActivityTab } from './tabs.ts';

const loadingLabels: Record<Exclude<ActivityTab, 'transactions'>, string> = {
  recent: 'Loading properties...',
  watched: 'Loading properties...',
  inquiries: 'Loading inquiries...',
  notifications: 'Loading notifications...',
};

/** Placeholder for a tab that is loading, in the shape of its content. */
export function TabSkeleton({ tab }: { tab: ActivityTab }) {
  if (tab === 'transactions') return <OwnSales sales={undefined} older={false} />;
  if (tab === 'recent' || tab === 'watched') return <CardGridSkeleton label={loadingLabels[tab]} />;
  return (
    <Panel title={tab === 'notifications' ? 'Property Notifications' : undefined} inset className="mt-0!">
      <div role="status" className="pt-6">
        <span className="vh">{loadingLabels[tab]}</span>
        <TextSkeleton rows={8} />
      </div>
    </Panel>
  );
}
