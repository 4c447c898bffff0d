import { ChevronLeft, ChevronRight, GripVertical, Pencil, Star } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from '#ui/class-names.ts';
import { X } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { Photo } from '../model.ts';
import { PhotoView } from './photo-view.tsx';

type Handlers = Pick<ComponentProps<'div'>, 'onPointerDown'>;

interface Props {
  photo: Photo;
  name: string;
  /** its index among the additional photos, and their number */
  at: number;
  count: number;
  dragged: boolean;
  locked?: boolean | undefined;
  drag: { picture: Handlers; grip: Handlers };
  onMove: (to: number) => void;
  onMain: () => void;
  onDescribe: () => void;
  onRemove: () => void;
}

/** An additional photo: dragged, or moved by its buttons, made the main one, described or removed. */
export function PhotoTile({ photo, name, at, count, dragged, locked, drag, ...on }: Props) {
  return (
    <li className={classNames('photo', dragged && 'photo-dragged')} data-photo={photo.id} aria-label={name}>
      <div className="upl">
        {/* Keyboard users move it by the buttons below. */}
        <div className={classNames(!locked && 'photo-held')} {...(!locked && drag.picture)}>
          <PhotoView photo={photo} alt={name} sizes="(width < 600px) 45vw, 200px" />
        </div>
        {!locked && (
          <>
            <span className="photo-grip needs-js" aria-hidden="true" {...drag.grip}>
              <Icon of={GripVertical} size={14} />
            </span>
            <button
              type="button"
              className="upl-x needs-js"
              aria-label={`Remove ${name}`}
              onClick={on.onRemove}
            >
              <Icon of={X} size={14} />
            </button>
          </>
        )}
      </div>
      {photo.caption && <p className="photo-caption">{photo.caption}</p>}
      {!locked && (
        <div className="photo-tools needs-js">
          <IconButton
            small
            icon={ChevronLeft}
            label={`Move ${name} earlier`}
            data-tool="earlier"
            aria-disabled={at === 0 || undefined}
            onClick={() => at > 0 && on.onMove(at - 1)}
          />
          <IconButton
            small
            icon={ChevronRight}
            label={`Move ${name} later`}
            data-tool="later"
            aria-disabled={at === count - 1 || undefined}
            onClick={() => at < count - 1 && on.onMove(at + 1)}
          />
          <IconButton small icon={Star} label={`Make ${name} the main image`} onClick={on.onMain} />
          <IconButton small icon={Pencil} label={`Describe ${name}`} onClick={on.onDescribe} />
        </div>
      )}
    </li>
  );
}
