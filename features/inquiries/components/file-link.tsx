import { messageFilePaths } from '#routing/message-file-paths.ts';
import { fileSize } from '#ui/file-size.ts';
import { Icon } from '#ui/icon.tsx';
import { Link as LinkGlyph } from '#ui/property-glyphs.ts';
import type { MessageFile } from '../model.ts';

interface Props {
  file: MessageFile;
  /** shows a photo itself above its name; not where each opening is recorded */
  showsPhoto?: boolean;
}

/** The file of a message, which is downloaded. */
export function FileLink({ file, showsPhoto = false }: Props) {
  const href = messageFilePaths.file(file.id);
  return (
    <p className="msg-file">
      <a className="link inline-flex items-center gap-2" href={href} download>
        {showsPhoto && file.kind === 'photo' ? (
          <img className="msg-photo" src={href} alt="" loading="lazy" decoding="async" />
        ) : (
          <Icon of={LinkGlyph} size={16} />
        )}
        <span>
          {file.name} ({fileSize(file.bytes)})
        </span>
      </a>
    </p>
  );
}
