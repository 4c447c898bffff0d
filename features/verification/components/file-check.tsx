import './verification.css';
import { useRef, useState } from 'react';
import { MAX_DOCUMENT_BYTES } from '#features/documents/model.ts';
import { Field } from '#ui/field.tsx';
import { sha256Of } from './hash-file.ts';

const problems = {
  tooLarge: `No document here has more than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB, so this file cannot be one of them.`,
  unreadable: 'Your browser could not read this file. Please choose it again.',
  unsupported: 'This browser cannot compute a SHA-256 here. Please paste it below.',
};

/** Asks about a file by its SHA-256, which the browser computes; the file itself is sent nowhere. */
export function FileCheck({ onHash }: { onHash: (sha256: string) => void }) {
  const [problem, setProblem] = useState<string>();
  const [file, setFile] = useState<{ name: string; sha256: string | null }>();
  // A file that is chosen while another one is read wins.
  const latest = useRef<File>(undefined);
  async function check(chosen: File) {
    latest.current = chosen;
    setFile(undefined);
    if (chosen.size > MAX_DOCUMENT_BYTES) return setProblem(problems.tooLarge);
    // Browsers offer it on secure pages alone.
    if (!globalThis.crypto?.subtle) return setProblem(problems.unsupported);
    setProblem(undefined);
    setFile({ name: chosen.name, sha256: null });
    const sha256 = await sha256Of(chosen).catch(() => null);
    if (latest.current !== chosen) return;
    if (sha256 === null) {
      setFile(undefined);
      return setProblem(problems.unreadable);
    }
    setFile({ name: chosen.name, sha256 });
    onHash(sha256);
  }
  return (
    <div className="needs-js verify-file">
      <Field
        label="File"
        error={problem}
        hint="Your browser computes the SHA-256 of the file. The file itself is never sent."
      >
        {(control) => (
          <input
            {...control}
            type="file"
            className="input verify-input"
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.files?.[0];
              if (chosen) void check(chosen);
            }}
          />
        )}
      </Field>
      <p className="verify-hash" role="status">
        {file && (file.sha256 ? `SHA-256 of ${file.name}: ${file.sha256}` : `Reading ${file.name}…`)}
      </p>
    </div>
  );
}
