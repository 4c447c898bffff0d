import type { ReactNode } from 'react';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Anchor, RegisteredDocument, Token, Verification } from '../model.ts';

/** What a check found, for whoever has the file or its number. */
export function VerificationResult({
  verification: { question, documents },
}: {
  verification: Verification;
}) {
  const byFile = question.by === 'file';
  if (documents.length === 0)
    return (
      <Notice tone="warn" title={byFile ? 'This file is not known here' : 'This number is not known here'}>
        <p>
          {byFile
            ? 'No document with this SHA-256 is registered. A file that was changed, even by one letter, has another SHA-256.'
            : `No document with the number ${question.number} is registered. A receipt is registered when its sale closes.`}
        </p>
      </Notice>
    );
  return (
    <>
      <Notice
        tone="ok"
        title={byFile ? 'This file is registered here' : `${question.number} is registered here`}
      >
        <p>
          {byFile
            ? 'A document with exactly this content was registered.'
            : 'This says nothing about the paper or the file in front of you. To check a file, choose it above.'}
        </p>
      </Notice>
      {documents.map((document, at) => (
        <DocumentPanel
          // biome-ignore lint/suspicious/noArrayIndexKey: registrations have no name to outsiders and are never reordered
          key={at}
          title={documents.length > 1 ? `Registration ${at + 1}` : 'Registration'}
          document={document}
          sha256={question.by === 'file' ? question.sha256 : null}
        />
      ))}
    </>
  );
}

interface DocumentProps {
  title: string;
  document: RegisteredDocument;
  /** null for a number, which gives no hash away */
  sha256: string | null;
}

function DocumentPanel({ title, document, sha256 }: DocumentProps) {
  const { registeredAt, anchorHash, salt, salted, revoked, anchors, tokens } = document;
  return (
    <Panel title={title} inset className="mt-0!">
      {revoked && (
        <Notice tone="bad" title="Revoked">
          <p>This document was withdrawn after it was registered and no longer counts.</p>
        </Notice>
      )}
      <dl className="verify-facts">
        <Fact of="Registered">
          <LocalTime of={registeredAt} as="exact" />
        </Fact>
        {anchors.length === 0 && <Fact of="Anchor">Its hash was not written to a chain.</Fact>}
        {anchors.map((anchor) => (
          <AnchorFacts key={`${anchor.network} ${anchor.transaction}`} anchor={anchor} />
        ))}
        {tokens.map((token) => (
          <TokenFact key={`${token.network} ${token.contract} ${token.tokenId}`} token={token} />
        ))}
      </dl>
      <Recompute {...{ anchorHash, salt, salted, sha256 }} />
      {anchors.map(
        (anchor) => anchor.root && <Proof key={`${anchor.network} ${anchor.transaction}`} anchor={anchor} />,
      )}
    </Panel>
  );
}

const states: Record<Anchor['state'], string> = {
  waiting: 'Its hash is waiting to be written to a chain.',
  sent: 'Its hash was sent to the chain and is waiting for a block.',
  mined: 'Its hash is in a block. It counts as final when more blocks follow.',
  final: 'Its hash is on the chain for good.',
  failed: 'Writing its hash to the chain failed. It is not anchored yet.',
};

function AnchorFacts({ anchor }: { anchor: Anchor }) {
  const { state, network, contract, transaction, transactionLink, block, at, confirmedNow } = anchor;
  return (
    <>
      <Fact of="Anchor">{states[state]}</Fact>
      {network && <Fact of="Network">{network}</Fact>}
      {at && (
        <Fact of="Anchored">
          <LocalTime of={at} as="exact" />
          {block && `, in block ${block}`}
        </Fact>
      )}
      {transaction && (
        <Fact of="Transaction">
          {transactionLink ? (
            <a className="link" href={transactionLink} target="_blank" rel="noopener noreferrer">
              {transaction}
            </a>
          ) : (
            transaction
          )}
        </Fact>
      )}
      {contract && <Fact of="Contract">{contract}</Fact>}
      {confirmedNow !== null && (
        <Fact of="Asked just now">
          {confirmedNow ? 'The contract says that it has the hash.' : 'The contract does not know the hash.'}
        </Fact>
      )}
    </>
  );
}

const TokenFact = ({ token: { tokenId, network, transactionLink } }: { token: Token }) => (
  <Fact of="Token">
    No. {tokenId} on {network}
    {transactionLink && (
      <>
        {', '}
        <a className="link" href={transactionLink} target="_blank" rel="noopener noreferrer">
          View on Base
        </a>
      </>
    )}
    <br />
    <span className="hint">The token evidences the document. It is not legal title.</span>
  </Fact>
);

interface RecomputeProps extends Pick<RegisteredDocument, 'anchorHash' | 'salt' | 'salted'> {
  sha256: string | null;
}

/** How the anchored hash follows from the file, so that no one has to believe this page. */
function Recompute({ anchorHash, salt, salted, sha256 }: RecomputeProps) {
  return (
    <section className="verify-proof" aria-label="How to check this yourself">
      <h3>Check this yourself</h3>
      <p>
        {salted
          ? 'The anchored hash is the SHA-256 of two values, one after the other as bytes: a secret salt, then the SHA-256 of the file.'
          : 'The anchored hash is the SHA-256 of the file.'}
      </p>
      <dl className="verify-facts">
        {salted && sha256 && <Fact of="SHA-256 of the file">{sha256}</Fact>}
        {salted && (
          <Fact of="Salt">{salt ?? 'Shown to whoever has the file: it keeps others from guessing it.'}</Fact>
        )}
        <Fact of="Anchored hash">{anchorHash}</Fact>
      </dl>
      {salt && sha256 && (
        <pre className="verify-command">{`echo ${salt}${sha256} | xxd -r -p | sha256sum`}</pre>
      )}
    </section>
  );
}

/** Where several documents share a transaction: the way from this one's hash to what the transaction wrote. */
const Proof = ({ anchor: { root, proof, network } }: { anchor: Anchor }) => (
  <details className="verify-proof">
    <summary className="link">Proof for {network}</summary>
    <p>
      The transaction wrote one hash for several documents, so there is a way from this one to it. Start with
      the SHA-256 of a zero byte (00) and the anchored hash. Join it with each of these in turn: the SHA-256
      of a one byte (01), the smaller of the two, then the larger. The result is what was written.
    </p>
    <ol>
      {proof.map((sibling) => (
        <li key={sibling}>{sibling}</li>
      ))}
    </ol>
    <dl className="verify-facts">
      <Fact of="Written to the chain">{root}</Fact>
    </dl>
  </details>
);

function Fact({ of, children }: { of: string; children: ReactNode }) {
  return (
    <div>
      <dt>{of}</dt>
      <dd>{children}</dd>
    </div>
  );
}
