import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { ALT_LIMIT, CAPTION_LIMIT, type Photo, type PhotoTexts } from '../model.ts';
import { refusalMessages } from '../rules.ts';

/** Renders a dialog outside of the surrounding form, which must not receive the dialog's fields and events. */
function BodyPortal({ children }: { children: ReactNode }) {
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  if (!mounted) return null;
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
  /** fallback for a missing alternative text */
  name: string;
  /** what was typed and not saved, because somebody else was faster; the photo's own texts are theirs */
  unsaved: PhotoTexts | null;
  /** @param base the texts that the dialog opened with */
  onSave: (texts: PhotoTexts, base: PhotoTexts) => void;
  onClose: () => void;
}

/** Edits the caption and alternative text of a photo. */
export function DescribeDialog({ photo, name, unsaved, onSave, onClose }: DescribeProps) {
  const [caption, setCaption] = useState('');
  const [alt, setAlt] = useState('');
  const [opened, setOpened] = useState<Pick<Photo, 'id' | 'caption' | 'alt'> | null>(null);
  // By id: the photo is another object after each answer of the server, and what was typed meanwhile must stay.
  if (photo && photo.id !== opened?.id) {
    setOpened(photo);
    setCaption((unsaved ?? photo).caption);
    setAlt((unsaved ?? photo).alt);
  }
  if (!photo && opened !== null) setOpened(null);
  const save = () => {
    if (opened) onSave({ caption: caption.trim(), alt: alt.trim() }, opened);
    onClose();
  };
  return (
    <BodyPortal>
      <ActionDialog
        open={photo !== null}
        onClose={onClose}
        title="Describe photo"
        confirmLabel="Save"
        intent="describe"
        // The photographs show the change at once, and its failure at the picture.
        pending={false}
        error={null}
        onConfirm={save}
      >
        <div className="photo-texts">
          {unsaved && opened && (
            <Notice tone="bad" title={refusalMessages.newer}>
              <p>
                {savedTexts(opened)} What you have typed here is not saved yet: save again to replace it, or
                cancel to keep what is saved.
              </p>
            </Notice>
          )}
          <TextInput
            label="Caption"
            optional
            hint="Shown below the photo."
            maxLength={CAPTION_LIMIT}
            value={caption}
            onChange={(event) => setCaption(event.currentTarget.value)}
          />
          <TextArea
            label="Alternative text"
            optional
            counted
            hint={`For people who cannot see the photo. If left blank: ${name}`}
            maxLength={ALT_LIMIT}
            rows={3}
            value={alt}
            onChange={(event) => setAlt(event.currentTarget.value)}
          />
        </div>
      </ActionDialog>
    </BodyPortal>
  );
}

const savedTexts = ({ caption, alt }: PhotoTexts): string =>
  [
    caption ? `The caption is “${caption}” now.` : 'There is no caption now.',
    alt ? `The alternative text is “${alt}” now.` : 'There is no alternative text now.',
  ].join(' ');

interface RemoveProps {
  /** the photo's label; null when the dialog is closed */
  name: string | null;
  isMain: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Confirms the removal of a photo. */
export function RemoveDialog({ name, isMain, onConfirm, onClose }: RemoveProps) {
  return (
    <BodyPortal>
      <ActionDialog
        open={name !== null}
        onClose={onClose}
        title="Remove photo?"
        text={`${name ?? 'The photo'} will be removed.${isMain ? ' The next photo becomes the main image.' : ''}`}
        confirmLabel="Remove Photo"
        danger
        intent="delete"
        pending={false}
        error={null}
        onConfirm={() => {
          onConfirm();
          onClose();
        }}
      />
    </BodyPortal>
  );
}
