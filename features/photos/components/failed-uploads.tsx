import { ActionDialog } from '#ui/action-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import type { FailedUpload } from '../model.ts';

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
  failed: readonly FailedUpload[];
  /** what the form's button does: 'Submit' or 'Update' */
  verb: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks whether to go on without the photos that did not reach the server. */
export function FailedUploadsQuestion({ open, failed, verb, onConfirm, onClose }: QuestionProps) {
  const [it, them] = failed.length === 1 ? ['it', 'this photo'] : ['them', 'these photos'];
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={`${verb} without ${them}?`}
      text={`${title(failed)}: ${failed.map(({ name }) => name).join(', ')}. Go back to try ${it} again.`}
      confirmLabel={`${verb} without ${it}`}
      cancelLabel="Go back"
      intent="without-photos"
      pending={false}
      error={null}
      onConfirm={onConfirm}
    />
  );
}
