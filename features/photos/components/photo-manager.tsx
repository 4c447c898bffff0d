import './photos.css';
import { useEffect, useRef, useState } from 'react';
import { classNames } from '#ui/class-names.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { MOST_PHOTOS, type Photo, type PhotoOwner } from '../model.ts';
import { photoName } from '../rules.ts';
import { AdditionalPhotos } from './additional-photos.tsx';
import { MainPhoto } from './main-photo.tsx';
import { DescribeDialog, RemoveDialog } from './photo-dialogs.tsx';
import { filesOf } from './photo-well.tsx';
import { RefusedFile } from './upload-tile.tsx';
import { usePhotos } from './use-photos.ts';

export interface PhotoManagerProps {
  owner: PhotoOwner;
  photos: readonly Photo[];
  /** true while files travel or changes are being stored: saving waits for it (B-101) */
  onBusyChange?: ((busy: boolean) => void) | undefined;
  /** the draft that the photographs hang on, when it is another one than was given */
  onDraft?: ((draftId: string) => void) | undefined;
  /** nothing can be changed any more (B-107) */
  locked?: boolean | undefined;
}

/**
 * The photographs of a listing, as the panels 'Main Property Image' and 'Additional Images' (S0 §2): chosen, dropped, pasted
 * or taken, three uploads at a time, ordered, described and taken away. Everything is stored at once, apart from the form
 * around it.
 */
export function PhotoManager(props: PhotoManagerProps) {
  // Another listing is another manager; a draft may change its id while its first photograph is on the way.
  return <Manager key={'propertyId' in props.owner ? props.owner.propertyId : 'draft'} {...props} />;
}

function Manager({ owner, photos: given, onBusyChange, onDraft, locked }: PhotoManagerProps) {
  const own = usePhotos({ owner, photos: given, onBusyChange, onDraft });
  const { photos, uploads, said } = own;
  const [described, setDescribed] = useState<string | null>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  const add = useRef(own.add);
  add.current = own.add;
  useWholePage(locked ? null : add);

  const named = (id: string | null) => {
    const index = photos.findIndex((photo) => photo.id === id);
    const photo = photos[index];
    return photo ? { photo, name: photoName(photo, index), index } : null;
  };
  const chosen = named(described);
  const leaving = named(removed);
  const count = photos.length + uploads.filter(({ state }) => state !== 'refused').length;
  const refused = uploads.filter(({ state }) => state === 'refused');
  const tools = {
    locked,
    uploads,
    full: count >= MOST_PHOTOS,
    onAdd: own.add,
    onCancel: own.cancel,
    onRetry: own.retry,
    onDescribe: setDescribed,
    onRemove: setRemoved,
  };
  return (
    <>
      <MainPhoto {...tools} photo={photos.find(({ isMain }) => isMain) ?? null} />
      <AdditionalPhotos {...tools} photos={photos} onMove={own.move} onMain={own.makeMain}>
        {refused.length > 0 && (
          <ul className="photo-problems" aria-label="Files that were not taken">
            {refused.map((upload) => (
              <RefusedFile key={upload.key} upload={upload} onCancel={() => own.cancel(upload.key)} />
            ))}
          </ul>
        )}
        <p className={classNames('hint', 'photo-count')}>
          {count} of {MOST_PHOTOS} photos. {!locked && 'Changes to photos are saved at once.'}
        </p>
        {!locked && <p className="hint no-js">Photos can be changed with JavaScript switched on.</p>}
      </AdditionalPhotos>
      <div role="status">
        <VisuallyHidden>{said}</VisuallyHidden>
      </div>
      <DescribeDialog
        photo={chosen?.photo ?? null}
        name={chosen?.index === 0 ? 'the address' : `Photo ${(chosen?.index ?? 0) + 1} and the address`}
        onSave={(texts) => described && void own.describe(described, texts)}
        onClose={() => setDescribed(null)}
      />
      <RemoveDialog
        name={leaving?.name ?? null}
        isMain={leaving?.photo.isMain === true && photos.length > 1}
        onConfirm={() => removed && void own.remove(removed)}
        onClose={() => setRemoved(null)}
      />
    </>
  );
}

/** Pictures pasted anywhere are added; a file dropped beside a well does not replace the page. */
function useWholePage(add: { current: (files: readonly File[], asMain: boolean) => void } | null): void {
  useEffect(() => {
    if (!add) return;
    const pasted = (event: ClipboardEvent) => {
      const files = filesOf(event.clipboardData).filter(({ type }) => type.startsWith('image/'));
      // Text copied from some programs comes with a picture of itself.
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
