import { setTimeout as pause } from 'node:timers/promises';
import { Suspense } from 'react';
import { Await, data } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { contentMessages } from '#features/content/rules.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/blockchain';
import { type BlockchainAnswer, handleBlockchainForm } from './blockchain/actions.ts';
import { ContractTab } from './blockchain/contract-tab.tsx';
import { type LoadedTab, loadTab } from './blockchain/load-tab.ts';
import {
  type BlockchainQuery,
  blockchainQueryFrom,
  blockchainTabs,
  tabHref,
  tabLabels,
} from './blockchain/query.ts';
import { StorageTab } from './blockchain/storage-tab.tsx';
import { TestsTab } from './blockchain/tests-tab.tsx';

/** When reading a tab takes longer than this, in milliseconds, the page is sent with a spinner first. */
const INLINE_WAIT_MS = 150;

export async function loader({ url, context }: Route.LoaderArgs) {
  const query = blockchainQueryFrom(url.searchParams);
  const reading = loadTab(getCtx(context), query);
  // A dialog has the page behind it, and without scripts nothing can come later.
  const inFull = query.whole || query.dialog !== null;
  const read = await (inFull ? reading : Promise.race([reading, pause(INLINE_WAIT_MS, null)]));
  if (!read) return data({ query, shown: reading });
  return data({ query, shown: read }, read.shown === null ? { status: 503 } : undefined);
}

export const action = (args: Route.ActionArgs) => handleBlockchainForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('base'),
    toast: { title: 'Error', text: contentMessages.failed },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Blockchain Infrastructure Status',
    // It is at a second address, too.
    canonical: adminPaths.blockchain(),
    hidden: true,
  });

/** The store of public documents, trials of it, and the contract. */
export default function Blockchain({ loaderData: { query, shown }, actionData }: Route.ComponentProps) {
  return (
    <>
      {!query.whole && query.dialog === null && (
        <noscript>
          <meta httpEquiv="refresh" content={`0;url=${tabHref(query.tab, { as: 'page' })}`} />
        </noscript>
      )}
      <FlashToast toast={actionData?.toast} />
      <AreaHead title="Blockchain Infrastructure Status" />
      <Tabs
        label="Blockchain"
        current={query.tab}
        tabs={blockchainTabs.map((id) => ({ id, label: tabLabels[id], href: tabHref(id) }))}
      >
        <Suspense
          key={query.tab}
          fallback={
            <div className="grid place-items-center p-16">
              <Spinner label={`Loading ${tabLabels[query.tab]}...`} large />
            </div>
          }
        >
          <Await resolve={shown} errorElement={<FailedPanel title="This could not be loaded." />}>
            {(loaded) => <TabContent loaded={loaded} query={query} answer={actionData} />}
          </Await>
        </Suspense>
      </Tabs>
    </>
  );
}

interface ContentProps {
  loaded: LoadedTab;
  query: BlockchainQuery;
  answer: (ActionData & BlockchainAnswer) | undefined;
}

function TabContent({ loaded, query, answer }: ContentProps) {
  switch (loaded.tab) {
    case 'storage':
      return <StorageTab status={loaded.shown} roundTrip={answer?.roundTrip} />;
    case 'tests':
      return <TestsTab shown={loaded.shown} query={query} answer={answer} />;
    case 'contract':
      return <ContractTab status={loaded.shown} query={query} answer={answer} />;
  }
}
