import { Download, FileSpreadsheet, FileText } from 'lucide-react';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { listParams, prepareDialog } from '#features/transactions/filters.ts';
import {
  FILE_LASTS_MS,
  type FileFormat,
  fileFormats,
  MOST_SALES_AT_ONCE,
  type PreparedFile,
  type TransactionQuery,
} from '#features/transactions/model.ts';
import type { BoundedCount } from '#platform/counts.ts';
import { HOUR } from '#platform/durations.ts';
import { formatCount, plural } from '#platform/format-count.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { fileSize } from '#ui/file-size.ts';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Menu } from '#ui/menu.tsx';
import { Notice } from '#ui/notice.tsx';
import { Tooltip } from '#ui/tooltip.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { drawerHref } from './query.ts';

const formats = {
  csv: { label: 'CSV', icon: FileText },
  xlsx: { label: 'Excel', icon: FileSpreadsheet },
} as const satisfies Record<FileFormat, object>;

/** Exports the list as the URL has it, all its pages; `total` is null when the list could not be read. */
export function ExportMenu({ query, total }: { query: TransactionQuery; total: BoundedCount | null }) {
  const content = (
    <>
      <Icon of={Download} />
      Export
    </>
  );
  if (!total?.count) {
    const why = total ? 'There are no transactions to export.' : 'The list could not be read.';
    return (
      <span className="transaction-export">
        <Tooltip text={why}>
          <button
            type="button"
            className="btn btn-outline"
            aria-disabled="true"
            aria-label={`Export: ${why}`}
          >
            {content}
          </button>
        </Tooltip>
      </span>
    );
  }
  return (
    <span className="transaction-export">
      <Menu
        end
        entries={fileFormats.map((format) => ({
          ...formats[format],
          href: adminPaths.transactionsExport(format, listParams(query)),
          file: true,
        }))}
      >
        {content}
      </Menu>
    </span>
  );
}

/** Asks whether a list that is too long to wait for is to be written in the background. */
export function PrepareFileDialog({
  dialog,
  query,
  answer,
}: {
  dialog: string | null;
  query: TransactionQuery;
  answer: ActionData | undefined;
}) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const pending = usePendingForm('prepare_file') !== null;
  const format = fileFormats.find((one) => prepareDialog(one) === dialog);
  if (!format) return null;
  return (
    <ActionDialog
      open
      onClose={() =>
        void navigate(drawerHref(search, undefined), { replace: true, preventScrollReset: true })
      }
      title={`Export to ${formats[format].label} in the background`}
      text={`More than ${formatCount(MOST_SALES_AT_ONCE)} transactions match, so the file takes a while. You are notified here and by email when it is ready, and can download it for ${FILE_LASTS_MS / HOUR} hours.`}
      confirmLabel="Start the export"
      intent="prepare_file"
      action={adminPaths.transactions(listParams(query))}
      fields={{ format }}
      pending={pending}
      error={answer?.intent === 'prepare_file' && !answer.ok ? answer.toast?.text : null}
    />
  );
}

const EVERY_MS = 5_000;

/** The files that the administrator has asked for, until they expire; one that is being written is followed. */
export function PreparedFiles({ files }: { files: readonly PreparedFile[] }) {
  const revalidate = useRevalidate();
  const waits = files.some(({ status }) => status === 'preparing');
  useLiveEvents(({ type }) => {
    if (type === 'transactions.file') void revalidate();
  }, waits);
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => document.hidden || void revalidate(), EVERY_MS);
    return () => clearInterval(timer);
  }, [waits, revalidate]);
  return files.map((file) => (
    <div key={file.id} className="mb-4">
      <OneFile file={file} />
    </div>
  ));
}

function OneFile({ file: { id, name, status, createdAt, sales, bytes, expiresAt } }: { file: PreparedFile }) {
  if (status === 'failed')
    return (
      <Notice tone="warn" title="Your export failed">
        <p>{name} could not be written. Please try again, or narrow the list first.</p>
      </Notice>
    );
  if (status === 'preparing')
    return (
      <Notice title="Your export is being written">
        <p>
          {name}, started <LocalTime of={createdAt} as="until" />. You can leave this page.
        </p>
      </Notice>
    );
  return (
    <Notice tone="ok" title="Your export is ready">
      <p>
        <a className="link" href={adminPaths.transactionsFile(id)}>
          Download {name}
        </a>{' '}
        ({counted(sales ?? 0)}, {fileSize(bytes ?? 0)}), until <LocalTime of={expiresAt} as="until" />.
      </p>
    </Notice>
  );
}

const counted = (sales: number) => plural(sales, 'transaction', 'transactions');
