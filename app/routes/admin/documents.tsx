import { FileText, Hexagon, House } from 'lucide-react';
import { data } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { documentTotals } from '#features/documents/reads.ts';
import type { DocumentTotals } from '#features/documents/registry-model.ts';
import { countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { ToastInput } from '#ui/toast.ts';
import type { Route } from './+types/documents';
import { loadTab } from './documents/load-tab.ts';
import { documentsQueryFrom } from './documents/query.ts';
import { CompletionTab, DocumentsTab, PropertyTab } from './documents/tabs.tsx';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const [totals, loaded] = await Promise.all([
    readOrNull(ctx, () => documentTotals(ctx)),
    loadTab(ctx, documentsQueryFrom(url.searchParams)),
  ]);
  const trouble: ToastInput | null = loaded.failed
    ? { title: 'Error', text: loaded.failed, tone: 'bad' }
    : null;
  return data({ totals, loaded, trouble }, totals && !trouble ? undefined : { status: 503 });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Blockchain Documents', hidden: true });

/** Every registered document, and the tokens that evidence some. */
export default function Documents({ loaderData: { totals, loaded, trouble } }: Route.ComponentProps) {
  return (
    <>
      <FlashToast toast={trouble} />
      <AreaHead title="Blockchain Documents" />
      {totals ? <StatStrip stats={cards(totals)} /> : <FailedPanel title="The totals could not be loaded." />}
      <div className="mt-6">
        <Tabs
          label="Documents"
          current={loaded.tab}
          tabs={[
            { id: 'documents', label: 'Documents', href: adminPaths.documents() },
            { id: 'property', label: 'Property NFTs', href: adminPaths.documents({ tab: 'property' }) },
            { id: 'completion', label: 'Completion NFTs', href: adminPaths.documents({ tab: 'completion' }) },
          ]}
        >
          {loaded.tab === 'documents' && <DocumentsTab loaded={loaded} />}
          {loaded.tab === 'property' && <PropertyTab loaded={loaded} />}
          {loaded.tab === 'completion' && <CompletionTab loaded={loaded} />}
        </Tabs>
      </div>
    </>
  );
}

const cards = ({ documents, properties, completionTokens }: DocumentTotals) => [
  { label: 'Total Documents', value: countText(documents), icon: FileText },
  {
    label: 'Active Properties',
    value: countText(properties),
    icon: House,
    help: 'Properties that have documents.',
  },
  { label: 'Completion NFTs', value: countText(completionTokens), icon: Hexagon },
];
