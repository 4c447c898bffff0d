import { data } from 'react-router';
import { handleDecideProof } from '#app/actions/ownership.actions.ts';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery } from '#app/table-query.ts';
import { nullWhenGone } from '#app/when-gone.ts';
import '#features/listing-review/components/review-desk.css';
import { ProofArticle } from '#features/ownership/components/proof-article.tsx';
import { ProofList } from '#features/ownership/components/proof-list.tsx';
import { proofDecisions, proofTabs } from '#features/ownership/model.ts';
import { proofList, proofSubject, waitingProofs } from '#features/ownership/reads.ts';
import { ownershipMessages } from '#features/ownership/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { INTENT } from '#ui/action-data.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { usePendingData } from '#ui/use-pending.ts';
import type { Route } from './+types/ownership';

/** Tab and page of a URL; a proof that it names may be in either list. */
function queryOf(params: URLSearchParams) {
  const { page, size } = parseTableQuery(params, []);
  return { tab: proofTabs.find((one) => one === params.get('tab')) ?? 'waiting', page, size } as const;
}

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const query = queryOf(url.searchParams);
  const [list, waiting] = await Promise.all([
    readOrNull(ctx, () => proofList(ctx, query)),
    readOrNull(ctx, () => waitingProofs(ctx)),
  ]);
  const named = namedSubject(url.searchParams) ?? (list?.rows[0] ? { proofId: list.rows[0].id } : null);
  const subject = named && (await readOrNull(ctx, () => subjectOrNull(ctx, named)));
  return data({ query, list, waiting, subject }, list ? undefined : { status: 503 });
}

function namedSubject(params: URLSearchParams) {
  const proofId = params.get('proof');
  if (proofId !== null) return { proofId };
  const propertyId = params.get('property');
  return propertyId === null ? null : { propertyId };
}

/** One that is gone meanwhile leaves its place empty. */
const subjectOrNull = (ctx: Ctx, of: Parameters<typeof proofSubject>[1]) =>
  nullWhenGone(proofSubject(ctx, of));

export function action(args: Route.ActionArgs) {
  const { page, size } = queryOf(args.url.searchParams);
  const next = adminPaths.ownership({ page: page > 1 ? page : undefined, size: size ?? undefined });
  return runAction(args, {
    intents: { verify: handleDecideProof('verify', next), refuse: handleDecideProof('refuse', next) },
    preserve: ['proof', 'reason'],
    messages: { failed: ownershipMessages.decideFailed },
  });
}

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('proof', 'reason'),
    toast: { title: 'Error', text: ownershipMessages.decideFailed },
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Proofs of Ownership', hidden: true });

/** Where administrators compare proofs of ownership with the listings that they are about, and decide. */
export default function Ownership({ loaderData, actionData }: Route.ComponentProps) {
  const { query, list, waiting, subject } = loaderData;
  const form = usePendingData(actionData?.ok === false);
  useFocusInvalid(actionData?.errors);
  const { tab } = query;
  const here = {
    tab: tab === 'waiting' ? undefined : tab,
    page: query.page > 1 ? query.page : undefined,
    size: query.size ?? undefined,
  };
  const count = waiting?.count ?? 0;
  const typed = actionData?.input?.proof === subject?.proof.id ? actionData?.input?.reason : undefined;
  return (
    <>
      <AreaHead
        title="Proofs of Ownership"
        back={{ href: adminPaths.properties(), label: 'Back to Properties' }}
      />
      <Tabs
        label="Proofs of ownership"
        current={tab}
        tabs={[
          {
            id: 'waiting',
            label: 'Waiting',
            href: adminPaths.ownership(),
            count,
            countLabel: `${count} waiting`,
          },
          { id: 'decided', label: 'Decided', href: adminPaths.ownership({ tab: 'decided' }) },
        ]}
      >
        {!list && <FailedPanel title="The proofs could not be loaded." />}
        {list && list.rows.length === 0 && !subject && (
          <EmptyState
            title={
              tab === 'waiting' ? 'No proof of ownership waits' : 'No proof of ownership was decided yet'
            }
            text="Sellers upload them from their listings."
          />
        )}
        {list && (list.rows.length > 0 || subject) && (
          <section className="panel" aria-label={tab === 'waiting' ? 'Waiting' : 'Decided'}>
            <div className="desk">
              <ProofList
                tab={tab}
                list={list}
                current={subject?.proof.id ?? null}
                hrefOf={(place) => adminPaths.ownership({ ...here, ...place })}
              />
              {subject && (
                <ProofArticle
                  subject={subject}
                  action={adminPaths.ownership({ ...here, proof: subject.proof.id })}
                  pending={proofDecisions.find((one) => one === form?.get(INTENT)) ?? null}
                  error={typed === undefined ? undefined : actionData?.errors?.reason}
                  typed={typed}
                />
              )}
            </div>
          </section>
        )}
      </Tabs>
      <FlashToast toast={actionData?.toast} />
    </>
  );
}
