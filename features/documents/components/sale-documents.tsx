import './sale-documents.css';
import { FileText } from 'lucide-react';
import { documentPaths } from '#routing/document-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { fileSize } from '#ui/file-size.ts';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { addedBy, registryStatuses } from '../display.ts';
import type { SaleDocument } from '../model.ts';

/** The documents of a sale with their downloads; one that waits for the scanner is named only. */
export function SaleDocumentList({ documents }: { documents: readonly SaleDocument[] }) {
  return (
    <ul className="sale-documents">
      {documents.map((document) => (
        <li key={document.id}>
          <Icon of={FileText} />
          <span>
            <b>{document.name}</b>{' '}
            {document.revoked && <Badge tone="bad">{registryStatuses.revoked.label}</Badge>}
            <small>
              {document.type} {addedBy[document.by]} · <LocalTime of={document.createdAt} as="date" /> ·{' '}
              {fileSize(document.bytes)}
              {document.version > 1 && ` · version ${document.version}`}
            </small>
          </span>
          {document.scan === 'held' ? (
            <small className="sale-held">Waits for the virus scanner</small>
          ) : (
            <a className="link" href={documentPaths.file(document.id)}>
              Download<span className="vh"> {document.name}</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
