import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import type { ListingRecord } from '../listing-record.ts';
import type { ChangedFact, PhotoChanges } from '../model.ts';
import { type TextPart, textDiff } from '../text-diff.ts';

interface Props {
  changes: readonly ChangedFact[];
  photos: PhotoChanges | null;
  of: Pick<ListingRecord, 'id' | 'type'>;
}

/** What was approved and what is there now, side by side, the words that differ marked. */
export function ChangeTable({ changes, photos, of }: Props) {
  return (
    <table className="diff">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Approved</th>
          <th scope="col">Now</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, approved, now }) => {
          const { before, after } = textDiff(approved ?? '', now ?? '');
          return (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td data-label="Approved">{approved === null ? 'None' : <Marked parts={before} as="del" />}</td>
              <td data-label="Now">{now === null ? 'None' : <Marked parts={after} as="ins" />}</td>
            </tr>
          );
        })}
        {photos && (
          <tr>
            <th scope="row">Photos</th>
            <td data-label="Approved">
              <Thumbnails photos={photos.photos.filter(({ isNew }) => !isNew)} of={of} />
              {photos.removed > 0 && (
                <del>{photos.removed === 1 ? '1 photo removed' : `${photos.removed} photos removed`}</del>
              )}
            </td>
            <td data-label="Now">
              <Thumbnails photos={photos.photos} of={of} marked />
              {photos.reordered && <ins>In another order</ins>}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

type Photos = PhotoChanges['photos'];

/** Photos in small; `marked` says of each what was done to it. */
function Thumbnails({ photos, of, marked }: Pick<Props, 'of'> & { photos: Photos; marked?: boolean }) {
  if (photos.length === 0) return <p>None</p>;
  return (
    <ul className="diff-photos">
      {photos.map((photo) => {
        const marks = marked ? marksOf(photo) : [];
        return (
          <li key={photo.picture.id}>
            <ListingPictureView listingId={of.id} type={of.type} picture={photo.picture} sizes="72px" />
            {marks.map((mark) => (
              <ins key={mark}>{mark}</ins>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

const marksOf = ({ isNew, putFirst, described }: Photos[number]): string[] => [
  ...(isNew ? ['New'] : []),
  ...(putFirst ? ['Put first'] : []),
  ...(described ? ['Described anew'] : []),
];

function Marked({ parts, as: Mark }: { parts: readonly TextPart[]; as: 'del' | 'ins' }) {
  return parts.map(({ text, changed }, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a part has no identity but its position
    return changed ? <Mark key={at}>{text}</Mark> : text;
  });
}
