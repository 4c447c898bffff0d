import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { PolicyText } from '#features/policies/components/policy-text.tsx';
import { fillPlaceholders, parseMarkdown } from '#features/policies/markdown.ts';
import { policyTitles } from '#features/policies/model.ts';
import { currentPolicy, policyVersion } from '#features/policies/reads.ts';
import { brandName, supportAddress } from '#features/settings/reads.ts';
import { policyPaths } from '#routing/policy-paths.ts';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageHead } from '#ui/page-head.tsx';
import type { Route } from './+types/policy';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const kind = url.pathname === policyPaths.privacy() ? 'privacy' : 'terms';
  const asked = url.searchParams.get('version');
  const [current, brand, support] = await Promise.all([
    currentPolicy(ctx, kind),
    brandName(ctx),
    supportAddress(ctx),
  ]);
  const shown =
    asked === null ? current : await policyVersion(ctx, { kind, version: Number(asked || Number.NaN) });
  return {
    kind,
    blocks: parseMarkdown(fillPlaceholders(shown.body, { brand, support })),
    publishedAt: shown.publishedAt,
    version: shown.version,
    outdated: shown.version !== current.version,
  } as const;
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: policyTitles[loaderData?.kind ?? 'terms'],
    ...(loaderData && { canonical: policyPaths[loaderData.kind](), hidden: loaderData.outdated }),
  });

/** The terms or the privacy policy, as it holds now or as an earlier version. */
export default function PolicyPage({ loaderData }: Route.ComponentProps) {
  const { kind, blocks, publishedAt, version, outdated } = loaderData;
  return (
    <article className="pb-16">
      <PageHead title={policyTitles[kind]}>
        {publishedAt && (
          <p className="hint mt-2">
            Version {version}, in force since <LocalTime of={publishedAt} as="day" />
          </p>
        )}
      </PageHead>
      {outdated && (
        <div className="area-notice">
          <Notice tone="warn" title="This is an earlier version">
            <p>
              <a className="link" href={policyPaths[kind]()}>
                Show the version in force
              </a>
            </p>
          </Notice>
        </div>
      )}
      <PolicyText blocks={blocks} />
    </article>
  );
}
