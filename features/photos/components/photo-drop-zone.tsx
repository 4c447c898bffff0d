import { Camera, ImagePlus } from 'lucide-react';
import { type DragEvent, type ReactNode, useId, useState } from 'react';
import { Icon } from '#ui/icon.tsx';

/** Systems that do not know HEIC go by the endings. */
const ACCEPTED_TYPES = 'image/jpeg,image/png,image/webp,image/heic,image/heif,.heic,.heif';

interface DropZoneProps {
  /** accessible name of the file input */
  label: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
}

/** The files of a drop or paste. */
export const filesOf = (transfer: DataTransfer | null): File[] => [...(transfer?.files ?? [])];

/** The dashed drop zone: files are chosen by clicking or dropped. */
export function PhotoDropZone({ label, multiple, onFiles }: DropZoneProps) {
  return (
    <DropTarget onFiles={onFiles}>
      {(over) => (
        <FileInputLabel
          className={over ? 'drop needs-js drop-over' : 'drop needs-js'}
          label={label}
          multiple={multiple}
          onFiles={onFiles}
        >
          <Icon of={ImagePlus} size={20} />
          <span>
            <b>{multiple ? 'Choose files' : 'Choose a file'}</b> or drop {multiple ? 'them' : 'it'} here
          </span>
          <span className="hint">JPG, PNG, WebP, HEIC</span>
        </FileInputLabel>
      )}
    </DropTarget>
  );
}

/** Accepts files dropped anywhere on its content. */
export function DropTarget({
  onFiles,
  children,
}: {
  onFiles: (files: File[]) => void;
  children: (over: boolean) => ReactNode;
}) {
  const [over, setOver] = useState(false);
  const dragged = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same files can be chosen by the field inside
    <div
      onDragEnter={dragged}
      onDragOver={dragged}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        onFiles(filesOf(event.dataTransfer));
      }}
    >
      {children(over)}
    </div>
  );
}

/** Opens the phone's camera; shown on touch devices. */
export function CameraButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <FileInputLabel
      className="btn btn-outline photo-camera needs-js"
      label="Take a photo"
      camera
      onFiles={onFiles}
    >
      <Icon of={Camera} />
      <span aria-hidden="true">Take a photo</span>
    </FileInputLabel>
  );
}

interface FileInputLabelProps extends DropZoneProps {
  camera?: boolean;
  className: string;
  children: ReactNode;
}

/** A clickable label for a visually hidden file input. The input has no name, because files are uploaded separately. */
export function FileInputLabel({
  label,
  multiple,
  camera,
  onFiles,
  className,
  children,
}: FileInputLabelProps) {
  const id = useId();
  return (
    <label className={className} htmlFor={id}>
      <input
        id={id}
        className="vh"
        type="file"
        accept={ACCEPTED_TYPES}
        multiple={multiple}
        capture={camera ? 'environment' : undefined}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Allows the same file to be chosen again after a refusal.
          currentTarget.value = '';
          onFiles(files);
        }}
      />
      {children}
    </label>
  );
}
