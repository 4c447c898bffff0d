import { formatCount, plural } from '#platform/format-count.ts';
import type { Tone } from '#ui/badge.tsx';
import type { ImportEntry, ImportStatus, RowCounts } from './model.ts';

export const statusLabels: Record<ImportStatus, string> = {
  uploaded: 'Uploaded',
  checking: 'Checking',
  checked: 'Checked',
  running: 'Importing',
  stopped: 'Stopped',
  done: 'Imported',
  undoing: 'Undoing',
  undone: 'Undone',
};

export const statusTones: Record<ImportStatus, Tone> = {
  uploaded: 'mute',
  checking: 'info',
  checked: 'warn',
  running: 'info',
  stopped: 'bad',
  done: 'ok',
  undoing: 'info',
  undone: 'mute',
};

export const isWorking = (status: ImportStatus): boolean =>
  status === 'checking' || status === 'running' || status === 'undoing';

export const rowsText = (count: number): string => plural(count, 'row', 'rows');
export const propertiesText = (count: number): string => plural(count, 'property', 'properties');

/** What an import did or is doing, in one line of the history. */
export function summaryText({
  status,
  rowsTotal,
  rowsDone,
  counts,
  removed,
  restored,
  spared,
}: ImportEntry): string {
  if (status === 'uploaded' || status === 'checked') return 'Not imported yet';
  if (status === 'checking' || status === 'running')
    return `${formatCount(rowsDone)} of ${rowsText(rowsTotal)}`;
  if (status === 'undone' || status === 'undoing')
    return [
      `${formatCount(removed)} removed`,
      `${formatCount(restored)} as before`,
      ...(spared > 0 ? [`${formatCount(spared)} left as they are`] : []),
    ].join(', ');
  return countsText(counts);
}

export const countsText = ({ added, changed, unchanged, refused }: RowCounts): string =>
  `${formatCount(added)} added, ${formatCount(changed)} changed, ${formatCount(unchanged)} unchanged, ${formatCount(refused)} refused`;

/** 'utf-16le' as people know it. */
export const encodingLabels = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
} as const;
