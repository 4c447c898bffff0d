import { ActionDialog } from '#ui/action-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import type { FailedUpload, RefusedUpload, UploadsState } from '../model.ts';

const title = (failed: readonly FailedUpload[]): string =>
  failed.length === 1 ? '1 photo was not uploaded' : `${failed.length} photos were not uploaded`;

/** The photos that did not reach the server, each to be tried again or removed. */
export function FailedUploads({ failed }: { failed: readonly FailedUpload[] }) {
  if (failed.length === 0) return null;
  return (
    <div className="photo-failed-notice">
      <Notice tone="warn" title={title(failed)}>
        <ul className="photo-failed" aria-label="Photos that were not uploaded">
          {failed.map(({ key, name, problem, retry, remove }) => (
            <li key={key}>
              <span>
                <b>{name}</b> {problem}
              </span>
              <span className="photo-failed-acts">
                <Button variant="outline" size="sm" aria-label={`Retry upload of ${name}`} onClick={retry}>
                  Retry
                </Button>
                <Button variant="ghost" size="sm" aria-label={`Remove ${name}`} onClick={remove}>
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

interface QuestionProps {
  open: boolean;
  uploads: UploadsState;
  /** what the form's button does: 'Submit' or 'Update' */
  verb: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks whether to go on without the photos that did not reach the server or were not accepted. */
export function FailedUploadsQuestion({
  open,
  uploads: { failed, refused },
  verb,
  onConfirm,
  onClose,
}: QuestionProps) {
  const [it, them] = failed.length + refused.length === 1 ? ['it', 'this photo'] : ['them', 'these photos'];
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={`${verb} without ${them}?`}
      text={
        <>
          {failed.length > 0 &&
            `${title(failed)}: ${failed.map(({ name }) => name).join(', ')}. Go back to try ${failed.length === 1 ? 'it' : 'them'} again.`}
          {refused.length > 0 && <Reasons refused={refused} />}
        </>
      }
      confirmLabel={`${verb} without ${it}`}
      cancelLabel="Go back"
      intent="without-photos"
      pending={false}
      error={null}
      onConfirm={onConfirm}
    />
  );
}

/** Reasons shown in the question; the form has those of all. */
const REASONS_SHOWN = 5;

function Reasons({ refused }: { refused: readonly RefusedUpload[] }) {
  const more = refused.length - REASONS_SHOWN;
  return (
    <>
      <span className="block">
        {refused.length === 1 ? '1 photo was not accepted:' : `${refused.length} photos were not accepted:`}
      </span>
      {refused.slice(0, REASONS_SHOWN).map(({ key, name, problem }) => (
        <span key={key} className="photo-reason">
          <b>{name}</b> {problem}
        </span>
      ))}
      {more > 0 && <span className="block">And {more} more.</span>}
    </>
  );
}
