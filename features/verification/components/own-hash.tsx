import { Panel } from '#ui/panel.tsx';

const commands: [string, string][] = [
  ['Windows', 'certutil -hashfile receipt.pdf SHA256'],
  ['macOS', 'shasum -a 256 receipt.pdf'],
  ['Linux', 'sha256sum receipt.pdf'],
];

/** For those who would rather not choose a file here, or have no scripts. */
export function OwnHash() {
  return (
    <Panel title="How this works" inset className="mt-0!">
      <div className="verify-own">
        <p>
          A SHA-256 is a fingerprint of a file: 64 characters that change when the file does. We write it, or
          a salted form of it, to a public chain. That shows the document existed then and has not changed
          since. It does not show that what the document says is true.
        </p>
        <p className="no-js mt-3">
          Without JavaScript this page cannot compute it for you. Use one of these commands, then paste the
          result above.
        </p>
        <p className="needs-js mt-3">You can also compute it yourself and paste it above.</p>
        <dl className="verify-facts mt-3">
          {commands.map(([system, command]) => (
            <div key={system}>
              <dt>{system}</dt>
              <dd>
                <code>{command}</code>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  );
}
