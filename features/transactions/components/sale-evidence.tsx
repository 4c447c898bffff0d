import type { EvidenceText } from '#features/disputes/views.ts';

/** The texts of an answer, folded away; the receipt goes with them. */
export function Evidence({ title, texts }: { title: string; texts: readonly EvidenceText[] }) {
  return (
    <details className="sale-evidence">
      <summary>{title}</summary>
      <dl>
        {texts.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="sale-words">{text}</dd>
          </div>
        ))}
        <div>
          <dt>File</dt>
          <dd>The receipt, as a PDF, if there is one</dd>
        </div>
      </dl>
    </details>
  );
}
