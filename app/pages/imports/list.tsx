import { data } from 'react-router';
import { useImportProgress } from '#app/live/import-progress.ts';
import { readOrNull } from '#app/read-or.ts';
import { parseTableQuery } from '#app/table-query.ts';
import { ImportHistory } from '#features/import-runs/components/import-history.tsx';
import '#features/import-runs/components/imports.css';
import { UploadForm } from '#features/import-runs/components/upload-form.tsx';
import { isWorking } from '#features/import-runs/display.ts';
import { importHistory } from '#features/import-runs/reads.ts';
import { mayImportFiles, mayOpenImports } from '#features/import-runs/rules.ts';
import type { ServerCtx } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { type ImportArea, importPaths } from '#routing/import-paths.ts';
import { AreaHead } from '#ui/page-head.tsx';

/** What the page of imports shows. */
export async function loadImports(ctx: ServerCtx, area: ImportArea, params: URLSearchParams) {
  authorize(ctx, mayOpenImports[area]);
  const { page } = parseTableQuery(params, []);
  const history = await readOrNull(ctx, () => importHistory(ctx, { page }));
  return data({ history, mayImport: mayImportFiles(ctx.actor) }, history ? undefined : { status: 503 });
}

interface Props {
  area: ImportArea;
  loaded: Awaited<ReturnType<typeof loadImports>>['data'];
  back: { href: string; label: string };
}

/** Where a file of listings is uploaded, with the files before it. */
export function ImportsPage({ area, loaded: { history, mayImport }, back }: Props) {
  const paths = importPaths(area);
  useImportProgress(history?.entries.some(({ status }) => isWorking(status)) ?? false);
  return (
    <>
      <AreaHead title="Import" back={back} />
      {mayImport && <UploadForm action={paths.upload()} />}
      <ImportHistory
        history={history}
        withSeller={area === 'admin'}
        hrefOf={(id) => paths.details(id)}
        pageHref={(page) => paths.list({ page: page > 1 ? page : undefined })}
      />
    </>
  );
}
