import { useNavigate } from 'react-router';
import { SaleDocumentList } from '#features/documents/components/sale-documents.tsx';
import { SaleFileFields } from '#features/documents/components/sale-file-fields.tsx';
import type { SaleDocument } from '#features/documents/model.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { useLastAnswer } from '#ui/use-last-answer.ts';
import { usePendingForm } from '#ui/use-pending.ts';
import type { SaleView } from '../model.ts';
import { ADD_DOCUMENTS } from '../rules.ts';

interface Props {
  sale: SaleView;
  documents: readonly SaleDocument[];
  /** the URL of the sale page, which handles the form */
  page: string;
  /** the URL opens the dialog */
  adding: boolean;
  answer: ActionData | undefined;
}

/** The documents of a sale for buyer and seller, and the dialog in which both can add some while it is open. */
export function SaleDocuments({ sale, documents, page, adding, answer: latest }: Props) {
  const navigate = useNavigate();
  const pending = usePendingForm(ADD_DOCUMENTS) !== null;
  const [answer, forget] = useLastAnswer(latest?.intent === ADD_DOCUMENTS ? latest : undefined);
  if (documents.length === 0 && !sale.canAddDocuments) return null;
  const refused = answer && !answer.ok ? answer : undefined;
  const fieldError = Object.values(refused?.errors ?? {})[0];
  return (
    <section aria-labelledby="documents">
      <h2 id="documents" className="sale-title">
        Documents
      </h2>
      {documents.length === 0 ? (
        <p className="hint">There are no documents yet.</p>
      ) : (
        <SaleDocumentList documents={documents} />
      )}
      {sale.canAddDocuments && (
        <>
          <p className="sale-documents-add">
            <ButtonLink to={`${page}?do=${ADD_DOCUMENTS}`} variant="outline" preventScrollReset>
              Add documents
            </ButtonLink>
          </p>
          <ActionDialog
            open={adding || pending || refused !== undefined}
            onClose={() => {
              forget();
              void navigate(page, { replace: true, preventScrollReset: true });
            }}
            title={`Add documents to the sale of ${sale.property.address}`}
            text={`The ${sale.party === 'buyer' ? 'seller' : 'buyer'} can see and download them here. They cannot be removed.`}
            confirmLabel="Add documents"
            intent={ADD_DOCUMENTS}
            action={page}
            encType="multipart/form-data"
            pending={pending}
            noValidate
            error={fieldError ?? refused?.toast?.text}
          >
            {(error) => (
              <>
                <SaleFileFields errors={refused?.errors} />
                {error && !fieldError && (
                  <p className="err" role="alert">
                    {error}
                  </p>
                )}
              </>
            )}
          </ActionDialog>
        </>
      )}
    </section>
  );
}
