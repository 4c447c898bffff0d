import { Camera, ImagePlus } from 'lucide-react';
import { type DragEvent, type ReactNode, useId, useState } from 'react';
import { Icon } from '#ui/icon.tsx';

/** iPhones turn HEIC into JPEG by themselves where only these are asked for. */
const TYPES = 'image/jpeg,image/png,image/webp';

interface WellProps {
  /** names the field for people who do not see it */
  label: string;
  many?: boolean;
  onFiles: (files: File[]) => void;
}

/** The files of something that was dropped or pasted. */
export const filesOf = (transfer: DataTransfer | null): File[] => [...(transfer?.files ?? [])];

/** The dashed well: files are chosen by a press or dropped here (look §7). */
export function PhotoWell({ label, many, onFiles }: WellProps) {
  return (
    <DropArea onFiles={onFiles}>
      {(over) => (
        <FileLabel
          className={over ? 'drop needs-js drop-over' : 'drop needs-js'}
          label={label}
          many={many}
          onFiles={onFiles}
        >
          <Icon of={ImagePlus} size={20} />
          <span>
            <b>{many ? 'Choose files' : 'Choose a file'}</b> or drop {many ? 'them' : 'it'} here
          </span>
          <span className="hint">JPG, PNG, WebP</span>
        </FileLabel>
      )}
    </DropArea>
  );
}

/** Takes what is dropped anywhere on its content. */
export function DropArea({
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

/** A button that opens the phone's camera; shown where fingers are used. */
export function CameraButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <FileLabel
      className="btn btn-outline photo-camera needs-js"
      label="Take a photo"
      camera
      onFiles={onFiles}
    >
      <Icon of={Camera} />
      <span aria-hidden="true">Take a photo</span>
    </FileLabel>
  );
}

interface FileLabelProps extends WellProps {
  camera?: boolean;
  className: string;
  children: ReactNode;
}

/** What is pressed, with the browser's own field out of sight. The field has no name: the files travel by themselves. */
export function FileLabel({ label, many, camera, onFiles, className, children }: FileLabelProps) {
  const id = useId();
  return (
    <label className={className} htmlFor={id}>
      <input
        id={id}
        className="vh"
        type="file"
        accept={TYPES}
        multiple={many}
        capture={camera ? 'environment' : undefined}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file can be chosen again after it was refused.
          currentTarget.value = '';
          onFiles(files);
        }}
      />
      {children}
    </label>
  );
}
