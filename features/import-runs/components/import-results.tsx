import { CirclePlus, CircleSlash, Equal, Pencil } from 'lucide-react';
import { fieldLabels, isFieldName } from '#features/listing-import/fields.ts';
import { formatCount } from '#platform/format-count.ts';
import { ButtonLink } from '#ui/button.tsx';
import { Panel } from '#ui/panel.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import { type Column, Table } from '#ui/table.tsx';
import type { BackgroundCounts, ImportDetails, RefusalGroup, RowCounts, SparedListing } from '../model.ts';

/** What a check found or an import did, as figures. */
export function RowFigures({ counts, would }: { counts: RowCounts; would: boolean }) {
  const label = (word: string) => (would ? `Would be ${word}` : word[0]?.toUpperCase() + word.slice(1));
  return (
    <StatStrip
      stats={[
        { label: label('added'), value: formatCount(counts.added), icon: CirclePlus },
        { label: label('changed'), value: formatCount(counts.changed), icon: Pencil },
        {
          label: would ? 'Would stay as they are' : 'Unchanged',
          value: formatCount(counts.unchanged),
          icon: Equal,
        },
        { label: label('refused'), value: formatCount(counts.refused), icon: CircleSlash },
      ]}
    />
  );
}

/** Why rows were refused, grouped, with all of them as a file. */
export function Refusals({ details, fileHref }: { details: ImportDetails; fileHref: string }) {
  const { refusals } = details;
  if (refusals.length === 0) return null;
  return (
    <Panel
      title="Refused rows"
      actions={
        <a className="btn btn-outline btn-sm" href={fileHref} download>
          All as CSV
        </a>
      }
    >
      <Table
        label="Refused rows"
        columns={refusalColumns}
        rows={refusals}
        rowKey={({ column, reason, line }) => `${column} ${reason} ${line}`}
        loading="Loading refused rows..."
        empty=""
        error={null}
      />
    </Panel>
  );
}

const nameOf = (column: string | null): string =>
  column === null ? 'The row' : isFieldName(column) ? fieldLabels[column] : column;

const refusalColumns: Column<RefusalGroup>[] = [
  { id: 'field', header: 'Field', lead: true, cell: ({ column }) => nameOf(column) },
  { id: 'reason', header: 'Reason', className: 'import-summary', cell: ({ reason }) => reason },
  {
    id: 'example',
    header: 'First Row',
    className: 'import-summary',
    cell: ({ line, detail }) => `Line ${formatCount(line)}${detail ? `: ${detail}` : ''}`,
  },
  { id: 'count', header: 'Rows', right: true, cell: ({ count }) => formatCount(count) },
];

/** Cells that were left blank or corrected in rows that were accepted. */
export function Notes({ notes }: { notes: Record<string, number> }) {
  const entries = Object.entries(notes).sort(([, one], [, other]) => other - one);
  if (entries.length === 0) return null;
  return (
    <Panel title="Accepted with corrections" inset>
      <ul className="import-list">
        {entries.slice(0, 50).map(([what, count]) => (
          <li key={what}>
            <span>{noteText(what)}</span>
            <span className="tabular-nums">{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** 'zip: left blank' as 'ZIP code: left blank'. */
function noteText(what: string): string {
  const [, column = '', rest = what] = /^([a-z_]+): (.*)$/s.exec(what) ?? [];
  return column ? `${nameOf(column)}: ${rest}` : what;
}

/** What goes on in the background after an import: places on the map, and photos. */
export function Background({ details: { photos, photoProblems, places } }: { details: ImportDetails }) {
  const total = ({ waiting, done, failed }: BackgroundCounts) => waiting + done + failed;
  if (total(photos) + total(places) === 0) return null;
  return (
    <Panel title="Places and photos" inset>
      {total(places) > 0 && <Part name="Listings without coordinates placed on the map" counts={places} />}
      {total(photos) > 0 && <Part name="Photos fetched from their addresses" counts={photos} />}
      {photoProblems.length > 0 && (
        <ul className="import-list" aria-label="Photos that were not added">
          {photoProblems.map(({ reason, count }) => (
            <li key={reason}>
              <span>{reason}</span>
              <span className="tabular-nums">{formatCount(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Part({ name, counts: { waiting, done, failed } }: { name: string; counts: BackgroundCounts }) {
  const all = waiting + done + failed;
  const words = `${name}: ${formatCount(done)} of ${formatCount(all)}${failed > 0 ? `, ${formatCount(failed)} not` : ''}`;
  return (
    <div className="import-part">
      <p>{words}</p>
      <progress className="import-progress" value={done + failed} max={all} aria-label={name}>
        {words}
      </progress>
    </div>
  );
}

interface SparedProps {
  details: ImportDetails;
  fileHref: string;
  listingHref: (id: string) => string;
}

/** Listings that undoing left as they are, because someone has touched them since. */
export function Spared({ details: { spared, sparedListings }, fileHref, listingHref }: SparedProps) {
  if (spared === 0) return null;
  return (
    <Panel
      title={`Left as they are: ${formatCount(spared)}`}
      actions={
        <a className="btn btn-outline btn-sm" href={fileHref} download>
          All as CSV
        </a>
      }
    >
      <Table
        label="Listings that were left as they are"
        columns={sparedColumns(listingHref)}
        rows={sparedListings}
        rowKey={({ propertyId, line }) => `${propertyId} ${line}`}
        loading="Loading listings..."
        empty=""
        error={null}
      />
    </Panel>
  );
}

const sparedColumns = (listingHref: (id: string) => string): Column<SparedListing>[] => [
  { id: 'address', header: 'Address', lead: true, cell: ({ address }) => address },
  { id: 'because', header: 'Reason', className: 'import-summary', cell: ({ because }) => because },
  { id: 'line', header: 'Line', right: true, cell: ({ line }) => formatCount(line) },
  {
    id: 'open',
    header: <span className="vh">Actions</span>,
    right: true,
    cell: ({ propertyId, address }) => (
      <ButtonLink size="sm" variant="ghost" to={listingHref(propertyId)}>
        Open<span className="vh"> {address}</span>
      </ButtonLink>
    ),
  },
];
