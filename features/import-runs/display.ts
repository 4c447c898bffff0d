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

export const grouped = (count: number): string => count.toLocaleString('en-US');
export const rowsText = (count: number): string => `${grouped(count)} ${count === 1 ? 'row' : 'rows'}`;
export const propertiesText = (count: number): string =>
  `${grouped(count)} ${count === 1 ? 'property' : 'properties'}`;

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
  if (status === 'checking' || status === 'running') return `${grouped(rowsDone)} of ${rowsText(rowsTotal)}`;
  if (status === 'undone' || status === 'undoing')
    return [
      `${grouped(removed)} removed`,
      `${grouped(restored)} as before`,
      ...(spared > 0 ? [`${grouped(spared)} left as they are`] : []),
    ].join(', ');
  return countsText(counts);
}

export const countsText = ({ added, changed, unchanged, refused }: RowCounts): string =>
  `${grouped(added)} added, ${grouped(changed)} changed, ${grouped(unchanged)} unchanged, ${grouped(refused)} refused`;

/** 'utf-16le' as people know it. */
export const encodingLabels = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
} as const;
