import { type ReactNode, useEffect, useRef } from 'react';
import type { Photo } from '../model.ts';
import { movePhoto, photoName } from '../rules.ts';
import type { PhotoTools } from './main-photo.tsx';
import { CameraButton, PhotoDropZone } from './photo-drop-zone.tsx';
import { PhotoTile } from './photo-tile.tsx';
import { UploadTile } from './upload-tile.tsx';
import { useReorder } from './use-reorder.ts';

interface Props extends PhotoTools {
  /** all photos, including the main one */
  photos: readonly Photo[];
  onMove: (id: string, to: number) => void;
  onMain: (id: string) => void;
  /** shown below the drop zone */
  children: ReactNode;
}

/** 'Additional Images': a drop zone for several files, and the photos in their order. */
export function AdditionalPhotos({ photos, uploads, onMove, children, ...tools }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const { drag, handlers } = useReorder(list, onMove);
  const rememberFocus = useFocusRestore(list);
  const shown = drag ? movePhoto(photos, drag.id, drag.to) : photos;
  const others = shown.filter(({ isMain }) => !isMain);
  const pendingUploads = uploads.filter(({ main, state }) => state !== 'refused' && !main);
  const add = (files: readonly File[]) => tools.onAdd(files, false);
  const move = (id: string, to: number) => {
    rememberFocus();
    onMove(id, to);
  };
  return (
    <section className="fs" aria-labelledby="more-photos">
      <div className="f">
        <h2 className="flabel photo-title" id="more-photos">
          Additional Images
        </h2>
        {!tools.locked && !tools.full && (
          <>
            <PhotoDropZone label="Additional Images" multiple onFiles={add} />
            <CameraButton onFiles={add} />
          </>
        )}
        {children}
        {others.length + pendingUploads.length > 0 && (
          <ul className="ugrid" ref={list} aria-label="Additional photos">
            {others.map((photo, at) => (
              <PhotoTile
                key={photo.id}
                photo={photo}
                name={photoName(
                  photo,
                  photos.findIndex(({ id }) => id === photo.id),
                )}
                at={at}
                count={others.length}
                dragged={drag?.id === photo.id}
                locked={tools.locked}
                drag={{
                  picture: handlers(photo.id, { byFinger: false }),
                  grip: handlers(photo.id, { byFinger: true }),
                }}
                onMove={(to) => move(photo.id, to)}
                onMain={() => tools.onMain(photo.id)}
                onDescribe={() => tools.onDescribe(photo.id)}
                onRemove={() => tools.onRemove(photo.id)}
              />
            ))}
            {pendingUploads.map((upload) => (
              <li key={upload.key} className="photo" aria-label={upload.name}>
                <UploadTile
                  upload={upload}
                  onCancel={() => tools.onCancel(upload.key)}
                  onRetry={() => tools.onRetry(upload.key)}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/** Restores the focus to a tile's button after reordering: browsers drop it from elements that move in the DOM. */
function useFocusRestore(list: { current: HTMLElement | null }): () => void {
  const wanted = useRef<{ photo: string; tool: string } | null>(null);
  useEffect(() => {
    const { current } = wanted;
    wanted.current = null;
    if (!current) return;
    list.current
      ?.querySelector<HTMLElement>(`[data-photo="${current.photo}"] [data-tool="${current.tool}"]`)
      ?.focus();
  });
  return () => {
    const button = document.activeElement?.closest<HTMLElement>('[data-tool]');
    const photo = button?.closest<HTMLElement>('[data-photo]')?.dataset.photo;
    if (photo && button?.dataset.tool) wanted.current = { photo, tool: button.dataset.tool };
  };
}
