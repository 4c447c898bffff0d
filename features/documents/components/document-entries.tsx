import { FileText } from 'lucide-react';
import { Form, useNavigate } from 'react-router';
import { transactionLink } from '#features/chain/explorer.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { fileSize } from '#ui/file-size.ts';
import { Icon } from '#ui/icon.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { DocumentVersion, DocumentWithVersions } from '../registry-model.ts';
import { documentMessages } from '../rules.ts';
import { type ContentLinks, FileLink, StatusBadge, TransactionLink } from './registry-cells.tsx';
import { RetryChain } from './retry-chain.tsx';
import { REVOKE } from './revoke-dialog.tsx';

export const REGISTER = 'register';
/** The form's intent, and the dialog's name in the URL. */
export const MAKE_PRIVATE = 'make-private';

interface Props {
  documents: readonly DocumentWithVersions[];
  /** where published files are, by content address */
  links: ContentLinks;
  /** the URL of the page, with a dialog about a document open */
  href: (dialog: { do: string; id: string }) => string;
}

/** The documents of a property, each with its hash, where it is registered, and its earlier versions. */
export function DocumentEntries({ documents, links, href }: Props) {
  if (documents.length === 0)
    return (
      <div className="registry-empty">
        <EmptyState
          bare
          title={documentMessages.noDocuments}
          text="Nothing was uploaded for this property yet."
        />
      </div>
    );
  return (
    <ul className="document-entries" aria-label="Documents">
      {documents.map((document) => (
        <li key={document.id} className="document-entry">
          <Entry document={document} links={links} href={href} />
        </li>
      ))}
    </ul>
  );
}

type EntryProps = Omit<Props, 'documents'> & { document: DocumentWithVersions };

function Entry({ document, links, href }: EntryProps) {
  const { id, name, type, version, createdAt, byteSize, uploadedBy, origin, status, reason } = document;
  const by = origin === 'made' ? ' · made by the marketplace' : uploadedBy ? ` · ${uploadedBy}` : '';
  return (
    <>
      <header>
        <Icon of={FileText} />
        <span className="registry-two">
          <b>{name}</b>
          <small>
            {type} · version {version} · <LocalTime of={createdAt} as="date" /> · {fileSize(byteSize)}
            {by}
          </small>
        </span>
        {document.visibility === 'public' && <Badge tone="info">Public</Badge>}
        <StatusBadge status={status} reason={reason} />
        <div className="document-entry-acts">
          <Download of={document} />
          {isPublic(document) && (
            <ButtonLink to={href({ do: MAKE_PRIVATE, id })} variant="outline" size="sm" preventScrollReset>
              Make private<span className="vh">: {name}</span>
            </ButtonLink>
          )}
          <Revoke of={document} href={href} />
          {mayRegister(document) && <Register id={id} name={name} />}
          {document.requested && !document.erased && status === 'failed' && (
            <RetryChain field="document" id={id} of={name} />
          )}
        </div>
      </header>
      <Facts of={document} links={links} />
      {document.earlier.length > 0 && (
        <details>
          <summary>
            {document.earlier.length === 1
              ? '1 earlier version'
              : `${document.earlier.length} earlier versions`}
          </summary>
          <ul>
            {document.earlier.map((version) => (
              <li key={version.id}>
                <span>
                  Version {version.version}, {version.name}, <LocalTime of={version.createdAt} as="date" />
                </span>
                <span className="document-entry-acts">
                  <StatusBadge status={version.status} reason={version.reason} />
                  <Download of={version} />
                  <Revoke of={version} href={href} />
                </span>
                <span className="registry-code">{version.sha256}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Whether anyone may read a version of it. */
const isPublic = ({ visibility, earlier }: DocumentWithVersions): boolean =>
  visibility === 'public' || earlier.some((version) => version.visibility === 'public');

/**
 * Registered on the configured chain, or asked for, it need not be asked for again; held, it may yet be deleted; deleted, it proves
 * nothing.
 */
const mayRegister = ({ status, requested, elsewhere, scan, erased }: DocumentVersion): boolean =>
  !requested &&
  !erased &&
  scan !== 'held' &&
  (status === 'pending' || status === 'failed' || (status === 'confirmed' && elsewhere));

function Facts({ of, links }: { of: DocumentVersion; links: ContentLinks }) {
  const { name, sha256, cid, network, transactionHash } = of;
  return (
    <dl className="document-facts">
      <dt>SHA-256</dt>
      <dd className="registry-code">{sha256}</dd>
      <dt>Content address</dt>
      <dd>
        {cid && <span className="registry-code">{cid} </span>}
        <FileLink cid={cid} links={links} of={name} />
      </dd>
      <dt>Transaction</dt>
      <dd>
        {transactionHash && (
          <>
            <span className="registry-code">{transactionHash}</span>
            {network && ` on ${network}`}{' '}
          </>
        )}
        {(!transactionHash || transactionLink(network, transactionHash)) && (
          <TransactionLink network={network} hash={transactionHash} of={name} />
        )}
      </dd>
    </dl>
  );
}

function Download({ of: { id, name, version, scan, erased } }: { of: DocumentVersion }) {
  if (erased) return <Badge tone="mute">File deleted</Badge>;
  if (scan === 'held') return <Badge tone="warn">Waits for the virus scanner</Badge>;
  return (
    <a className="btn btn-outline btn-sm" href={adminPaths.documentFile(id)}>
      Download
      <span className="vh">
        {' '}
        {name}, version {version}
      </span>
    </a>
  );
}

/** Once for each version that counts. */
function Revoke({ of: { id, name, version, status }, href }: Pick<Props, 'href'> & { of: DocumentVersion }) {
  if (status === 'revoked') return null;
  return (
    <ButtonLink to={href({ do: REVOKE, id })} variant="outline" size="sm" preventScrollReset>
      Revoke
      <span className="vh">
        : {name}, version {version}
      </span>
    </ButtonLink>
  );
}

function Register({ id, name }: { id: string; name: string }) {
  const pending = usePendingForm(REGISTER)?.get('id') === id;
  return (
    <Form method="post" preventScrollReset onSubmit={(event) => pending && event.preventDefault()}>
      <IntentField is={REGISTER} />
      <input type="hidden" name="id" value={id} />
      <Button type="submit" variant="outline" size="sm" busy={pending}>
        Register on chain<span className="vh">: {name}</span>
      </Button>
    </Form>
  );
}

interface DialogProps {
  /** null while nothing is asked */
  document: DocumentWithVersions | null;
  /** the URL of the page without the dialog, which handles the form */
  page: string;
}

/** Asks before a document becomes private. */
export function MakePrivateDialog({ document, page }: DialogProps) {
  const navigate = useNavigate();
  const pending = usePendingForm(MAKE_PRIVATE) !== null;
  return (
    <ActionDialog
      open={document !== null}
      danger
      onClose={() => void navigate(page, { replace: true, preventScrollReset: true })}
      title="Make the document private"
      text={
        document &&
        `‘${document.name}’ and all its versions become private. Our store stops publishing them, but copies on IPFS and with others may remain. This cannot be undone.`
      }
      confirmLabel="Make private"
      intent={MAKE_PRIVATE}
      action={page}
      fields={{ id: document?.id ?? '' }}
      pending={pending}
      error={null}
    />
  );
}
