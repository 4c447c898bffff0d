import type { ChangedFact } from '../model.ts';
import { type TextPart, textDiff } from '../text-diff.ts';

/** What was approved and what is there now, side by side, the words that differ marked. */
export function ChangeTable({ changes }: { changes: readonly ChangedFact[] }) {
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
      </tbody>
    </table>
  );
}

function Marked({ parts, as: Mark }: { parts: readonly TextPart[]; as: 'del' | 'ins' }) {
  return parts.map(({ text, changed }, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a part has no identity but its position
    return changed ? <Mark key={at}>{text}</Mark> : text;
  });
}
