import './photos.css';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '#ui/class-names.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { MAX_PHOTOS, type Photo, type PhotoOwner, type PhotoTexts, type UploadsState } from '../model.ts';
import { photoName } from '../rules.ts';
import { AdditionalPhotos } from './additional-photos.tsx';
import { MainPhoto } from './main-photo.tsx';
import { DescribeDialog, RemoveDialog } from './photo-dialogs.tsx';
import { filesOf } from './photo-drop-zone.tsx';
import { RefusedFile } from './upload-tile.tsx';
import { usePhotos } from './use-photos.ts';

interface PhotoManagerProps {
  owner: PhotoOwner;
  photos: readonly Photo[];
  /** names the user's form: under it this browser keeps the files that are on their way */
  form: string;
  /** the form is not submitted while photos are uploaded or changed, nor without asking when some failed or were refused */
  onUploads?: ((state: UploadsState) => void) | undefined;
  /** called with the actual draft id when it differs from the given one */
  onDraft?: ((draftId: string) => void) | undefined;
  /** the form says which photos it shows, in fields `photo`, so that those of another tab are not taken for its own */
  listed?: boolean | undefined;
  /** read-only, for a sold listing */
  locked?: boolean | undefined;
}

/**
 * The photos of a listing, as the panels 'Main Property Image' and 'Additional Images': files can be chosen, dropped,
 * pasted or taken with the camera, up to three uploads at a time, then sorted, described and removed. Changes are
 * saved at once, independently of the surrounding form.
 */
export function PhotoManager(props: PhotoManagerProps) {
  // Remounted for another listing, but not when a draft gets its actual id during the first upload.
  return <Manager key={'propertyId' in props.owner ? props.owner.propertyId : 'draft'} {...props} />;
}

function Manager({ owner, photos: given, form, onUploads, onDraft, listed, locked }: PhotoManagerProps) {
  const own = usePhotos({ owner, photos: given, form, onUploads, onDraft });
  const { photos, uploads, announcement } = own;
  const [describedId, setDescribedId] = useState<string | null>(null);
  const [unsaved, setUnsaved] = useState<({ id: string } & PhotoTexts) | null>(null);
  const [removedId, setRemovedId] = useState<string | null>(null);
  const add = useRef(own.add);
  add.current = own.add;
  usePagePasteAndDrop(locked ? null : add);

  const findPhoto = (id: string | null) => {
    const index = photos.findIndex((photo) => photo.id === id);
    const photo = photos[index];
    return photo ? { photo, name: photoName(photo, index), index } : null;
  };
  /** Opens the dialog again with what was typed when somebody else has changed the texts meanwhile. */
  async function saveTexts(id: string, texts: PhotoTexts, base: PhotoTexts) {
    if ((await own.describe(id, texts, base)) !== 'newer') return;
    setUnsaved({ id, ...texts });
    setDescribedId((open) => open ?? id);
  }
  const chosen = findPhoto(describedId);
  const removing = findPhoto(removedId);
  const count = photos.length + uploads.filter(({ state }) => state !== 'refused').length;
  const refused = uploads.filter(({ state }) => state === 'refused');
  const tools = {
    locked,
    uploads,
    full: count >= MAX_PHOTOS,
    onAdd: own.add,
    onCancel: own.cancel,
    onRetry: own.retry,
    onDescribe: setDescribedId,
    onRemove: setRemovedId,
  };
  return (
    <>
      <MainPhoto {...tools} photo={photos.find(({ isMain }) => isMain) ?? null} />
      <AdditionalPhotos {...tools} photos={photos} onMove={own.move} onMain={own.makeMain}>
        {refused.length > 0 && (
          <ul className="photo-problems" aria-label="Files that were not accepted">
            {refused.map((upload) => (
              <RefusedFile key={upload.key} upload={upload} onCancel={() => own.cancel(upload.key)} />
            ))}
          </ul>
        )}
        <p className={classNames('hint', 'photo-count')}>
          {count} of {MAX_PHOTOS} photos. {!locked && 'Changes to photos are saved right away.'}
        </p>
        {!locked && <p className="hint no-js">Turn on JavaScript to change photos.</p>}
      </AdditionalPhotos>
      {listed && (
        <>
          <input type="hidden" name="photosShown" value="1" />
          {photos.map(({ id }) => (
            <input key={id} type="hidden" name="photo" value={id} />
          ))}
        </>
      )}
      <div role="status">
        <VisuallyHidden>{announcement}</VisuallyHidden>
      </div>
      <DescribeDialog
        photo={chosen?.photo ?? null}
        name={`Photo ${(chosen?.index ?? 0) + 1} of ${photos.length} and the address`}
        unsaved={unsaved?.id === describedId ? unsaved : null}
        onSave={(texts, base) => describedId && void saveTexts(describedId, texts, base)}
        onClose={() => {
          setDescribedId(null);
          if (unsaved?.id === describedId) setUnsaved(null);
        }}
      />
      <RemoveDialog
        name={removing?.name ?? null}
        isMain={removing?.photo.isMain === true && photos.length > 1}
        onConfirm={() => removedId && void own.remove(removedId)}
        onClose={() => setRemovedId(null)}
      />
    </>
  );
}

/** Adds pictures pasted anywhere on the page, and keeps a file dropped outside a drop zone from replacing the page. */
function usePagePasteAndDrop(
  add: { current: (files: readonly File[], asMain: boolean) => void } | null,
): void {
  useEffect(() => {
    if (!add) return;
    const pasted = (event: ClipboardEvent) => {
      const files = filesOf(event.clipboardData).filter(({ type }) => type.startsWith('image/'));
      // Text copied from some programs also contains a rendering as picture.
      if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return;
      event.preventDefault();
      add.current(files, false);
    };
    const dropped = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    document.addEventListener('paste', pasted);
    document.addEventListener('dragover', dropped);
    document.addEventListener('drop', dropped);
    return () => {
      document.removeEventListener('paste', pasted);
      document.removeEventListener('dragover', dropped);
      document.removeEventListener('drop', dropped);
    };
  }, [add]);
}
