import type { ReactNode } from 'react';
import { data, Form, useNavigate } from 'react-router';
import { useImportProgress } from '#app/live/import-progress.ts';
import { readOrNull } from '#app/read-or.ts';
import { ColumnForm } from '#features/import-runs/components/column-form.tsx';
import { ImportProgress } from '#features/import-runs/components/import-progress.tsx';
import {
  Background,
  Notes,
  Refusals,
  RowFigures,
  Spared,
} from '#features/import-runs/components/import-results.tsx';
import { formatCount } from '#platform/format-count.ts';
import '#features/import-runs/components/imports.css';
import {
  encodingLabels,
  isWorking,
  propertiesText,
  rowsText,
  statusLabels,
  statusTones,
} from '#features/import-runs/display.ts';
import type { ImportDetails } from '#features/import-runs/model.ts';
import { importDetails } from '#features/import-runs/reads.ts';
import { isWhole, mayImportFiles, mayOpenImports } from '#features/import-runs/rules.ts';
import type { ServerCtx } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { type ImportArea, importPaths } from '#routing/import-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { fileSize } from '#ui/file-size.ts';
import { FlashToast } from '#ui/flash-toast.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { usePendingForm } from '#ui/use-pending.ts';

/** What the page of an import shows. */
export async function loadImport(
  ctx: ServerCtx,
  area: ImportArea,
  { importId, params }: { importId: string; params: URLSearchParams },
) {
  authorize(ctx, mayOpenImports[area]);
  const details = await readOrNull(ctx, () => importDetails(ctx, { importId }));
  return data(
    {
      details,
      mayAct: mayImportFiles(ctx.actor),
      dialog: (['undo', 'discard'] as const).find((one) => one === params.get('do')) ?? null,
      showColumns: params.has('columns'),
    },
    details ? undefined : { status: 503 },
  );
}

type Loaded = Awaited<ReturnType<typeof loadImport>>['data'];

interface Props {
  area: ImportArea;
  loaded: Loaded;
  answer: ActionData | undefined;
  /** an administrator's choice of seller and status */
  office?: ReactNode;
  listingHref: (id: string) => string;
}

/** One import from its columns to its undoing; what it shows and offers follows from its status. */
export function ImportPage({ loaded, ...props }: Props) {
  const { details } = loaded;
  if (details) return <Import loaded={{ ...loaded, details }} {...props} />;
  return (
    <>
      <AreaHead title="Import" back={{ href: importPaths(props.area).list(), label: 'Import' }} />
      <FailedPanel title="The import could not be loaded." />
    </>
  );
}

function Import({
  area,
  loaded,
  answer,
  office,
  listingHref,
}: Props & { loaded: Loaded & { details: ImportDetails } }) {
  const { details, mayAct, dialog, showColumns } = loaded;
  const { id, status, problem, counts, photos, places } = details;
  const paths = importPaths(area);
  const background = status === 'done' && photos.waiting + places.waiting > 0;
  useImportProgress(isWorking(status) || background, id);
  const choosing = status === 'uploaded' || (status === 'checked' && showColumns);
  const ended = status === 'done' || status === 'stopped';
  return (
    <>
      <AreaHead title={details.fileName} back={{ href: paths.list(), label: 'Import' }} />
      <Facts details={details} withSeller={area === 'admin'} />
      {problem && (
        <Notice
          tone="warn"
          title={status === 'uploaded' ? 'The file was not checked' : 'The import has stopped'}
        >
          <p>{problem}</p>
        </Notice>
      )}
      <ImportProgress details={details} mayAct={mayAct} />
      {choosing && (
        <ColumnForm
          details={details}
          answer={answer}
          office={mayAct ? office : undefined}
          discardHref={paths.details(id, { do: 'discard', columns: showColumns ? 1 : undefined })}
          mayAct={mayAct}
        />
      )}
      {status === 'checked' && !choosing && (
        <Checked
          details={details}
          mayAct={mayAct}
          columnsHref={paths.details(id, { columns: 1 })}
          discardHref={paths.details(id, { do: 'discard' })}
        />
      )}
      {(ended || status === 'running' || status === 'undoing' || status === 'undone') && (
        <RowFigures counts={counts} would={false} />
      )}
      {ended && mayAct && <Ended details={details} undoHref={paths.details(id, { do: 'undo' })} />}
      {status === 'undone' && <Undone details={details} />}
      <Spared details={details} fileHref={paths.spared(id)} listingHref={listingHref} />
      {ended && <Background details={details} />}
      {!choosing && <Refusals details={details} fileHref={paths.refused(id)} />}
      {(ended || (status === 'checked' && !choosing)) && <Notes notes={details.notes} />}
      <Dialogs
        details={details}
        dialog={mayAct ? dialog : null}
        answer={answer}
        closedHref={paths.details(id)}
      />
      <FlashToast toast={answer?.toast} />
    </>
  );
}

function Facts({ details, withSeller }: { details: ImportDetails; withSeller: boolean }) {
  const { status, rowsTotal, file, createdAt, seller, madeBy } = details;
  const facts = [
    rowsText(rowsTotal),
    file.source ?? (file.format === 'json' ? 'JSON' : 'CSV'),
    encodingLabels[file.encoding],
    fileSize(file.size),
    ...(withSeller && seller ? [`for ${seller}`] : []),
    ...(withSeller && madeBy ? [`by ${madeBy}`] : []),
  ];
  return (
    <p className="import-facts">
      <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>
      <span>{facts.join(' · ')}</span>
      <span>
        Uploaded <LocalTime of={createdAt} />
      </span>
    </p>
  );
}

interface CheckedProps {
  details: ImportDetails;
  mayAct: boolean;
  columnsHref: string;
  discardHref: string;
}

function Checked({ details, mayAct, columnsHref, discardHref }: CheckedProps) {
  const { check, byAdmin, firstStatus, typeWords } = details;
  const leftOut = typeWords.reduce((rows, word) => (word.choice === '' ? rows + word.rows : rows), 0);
  const starting = usePendingForm('start') !== null;
  const writes = check.added + check.changed;
  return (
    <>
      <RowFigures counts={check} would />
      <p className="import-next">
        {writes === 0
          ? 'Nothing would change.'
          : `Nothing is imported yet. New listings will be ${byAdmin && firstStatus === 'Active' ? 'Active' : 'Pending until an administrator approves them'}.`}
      </p>
      {leftOut > 0 && (
        <p className="import-next">
          {rowsText(leftOut)} with property types that are not known here {leftOut === 1 ? 'is' : 'are'} left
          out. Change columns to choose property types for them.
        </p>
      )}
      {mayAct && (
        <div className="import-acts">
          {writes > 0 && (
            <Form method="post" preventScrollReset onSubmit={(event) => starting && event.preventDefault()}>
              <IntentField is="start" />
              <Button type="submit" busy={starting}>
                Import {propertiesText(writes)}
              </Button>
            </Form>
          )}
          <ButtonLink variant="outline" to={columnsHref} preventScrollReset>
            Change columns
          </ButtonLink>
          <ButtonLink variant="outline" to={discardHref} preventScrollReset>
            Discard file
          </ButtonLink>
        </div>
      )}
    </>
  );
}

function Ended({ details, undoHref }: { details: ImportDetails; undoHref: string }) {
  const { status, counts, pictured } = details;
  const starting = usePendingForm('start') !== null;
  const written = counts.added + counts.changed + pictured;
  return (
    <div className="import-acts">
      {status === 'stopped' && isWhole(details) && (
        <Form method="post" preventScrollReset onSubmit={(event) => starting && event.preventDefault()}>
          <IntentField is="start" />
          <Button type="submit" busy={starting}>
            Continue import
          </Button>
        </Form>
      )}
      {written > 0 && (
        <ButtonLink variant="outline" to={undoHref} preventScrollReset>
          Undo import
        </ButtonLink>
      )}
    </div>
  );
}

function Undone({ details: { removed, restored, spared, undoneAt } }: { details: ImportDetails }) {
  return (
    <Notice tone="ok" title="The import was undone">
      <p>
        {propertiesText(removed)} removed, {formatCount(restored)} as before the import
        {spared > 0 && `, ${formatCount(spared)} left as they are because someone has touched them since`}.{' '}
        {undoneAt && <LocalTime of={undoneAt} />}
      </p>
    </Notice>
  );
}

const photosText = (pictured: number): string =>
  pictured === 0 ? '' : ` Photos that were added to ${propertiesText(pictured)} besides will be removed.`;

interface DialogsProps {
  details: ImportDetails;
  dialog: 'undo' | 'discard' | null;
  answer: ActionData | undefined;
  closedHref: string;
}

function Dialogs({
  details: { status, fileName, counts, pictured },
  dialog,
  answer,
  closedHref,
}: DialogsProps) {
  const navigate = useNavigate();
  const undoing = usePendingForm('undo') !== null;
  const discarding = usePendingForm('discard') !== null;
  const close = () => void navigate(closedHref, { preventScrollReset: true });
  const errorOf = (intent: string) => (answer?.intent === intent && !answer.ok ? answer.toast?.text : null);
  return (
    <>
      <ActionDialog
        open={dialog === 'undo' && (status === 'done' || status === 'stopped')}
        onClose={close}
        title="Undo the whole import?"
        text={`${propertiesText(counts.added)} that ${counts.added === 1 ? 'was' : 'were'} added will be removed, and ${formatCount(counts.changed)} changed ${counts.changed === 1 ? 'one' : 'ones'} will be as before.${photosText(pictured)} Listings that someone has touched since stay as they are and are named.`}
        confirmLabel="Undo import"
        danger
        intent="undo"
        pending={undoing}
        error={errorOf('undo')}
      />
      <ActionDialog
        open={dialog === 'discard' && (status === 'uploaded' || status === 'checked')}
        onClose={close}
        title={`Discard ${fileName}?`}
        text="Nothing was imported from it. The file and the choice of columns are deleted."
        confirmLabel="Discard file"
        danger
        intent="discard"
        pending={discarding}
        error={errorOf('discard')}
      />
    </>
  );
}
