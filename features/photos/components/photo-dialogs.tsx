import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { ALT_LIMIT, CAPTION_LIMIT, type Photo } from '../model.ts';

/** At the end of the page: the form around the photographs must not take a dialog's fields and presses for its own. */
function Outside({ children }: { children: ReactNode }) {
  const [there, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  if (!there) return null;
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps events of the dialog from the form that React sees around it
    <div
      onSubmit={(event) => event.stopPropagation()}
      onChange={(event) => event.stopPropagation()}
      onBlur={(event) => event.stopPropagation()}
    >
      {children}
    </div>,
    document.body,
  );
}

interface DescribeProps {
  photo: Photo | null;
  /** what stands in for the alternative text where there is none */
  name: string;
  onSave: (texts: { caption: string; alt: string }) => void;
  onClose: () => void;
}

/** Caption and alternative text of one photograph (B-040). */
export function DescribeDialog({ photo, name, onSave, onClose }: DescribeProps) {
  const [caption, setCaption] = useState('');
  const [alt, setAlt] = useState('');
  const [shown, setShown] = useState<Photo | null>(null);
  if (photo && photo !== shown) {
    setShown(photo);
    setCaption(photo.caption);
    setAlt(photo.alt);
  }
  if (!photo && shown) setShown(null);
  const save = () => {
    onSave({ caption: caption.trim(), alt: alt.trim() });
    onClose();
  };
  return (
    <Outside>
      <Dialog
        open={photo !== null}
        onClose={onClose}
        title="Describe photo"
        actions={
          <>
            <Button variant="outline" onClick={onClose}>
              Cancel
            </Button>
            <Button onClick={save}>Save</Button>
          </>
        }
      >
        <div className="photo-texts">
          <TextInput
            label="Caption"
            optional
            hint="Stands under the picture."
            maxLength={CAPTION_LIMIT}
            value={caption}
            onChange={(event) => setCaption(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') save();
            }}
          />
          <TextArea
            label="Alternative text"
            optional
            counted
            hint={`For people who do not see the picture. Without it: ${name}`}
            maxLength={ALT_LIMIT}
            rows={3}
            value={alt}
            onChange={(event) => setAlt(event.currentTarget.value)}
          />
        </div>
      </Dialog>
    </Outside>
  );
}

interface RemoveProps {
  /** names the photograph; null when none is to be removed */
  name: string | null;
  isMain: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a photograph goes. */
export function RemoveDialog({ name, isMain, onConfirm, onClose }: RemoveProps) {
  return (
    <Outside>
      <ConfirmDialog
        open={name !== null}
        onClose={onClose}
        title="Remove photo?"
        text={`${name ?? 'The photo'} will be removed.${isMain ? ' The next photo becomes the main image.' : ''}`}
        confirmLabel="Remove Photo"
        danger
        onConfirm={() => {
          onConfirm();
          onClose();
        }}
      />
    </Outside>
  );
}
