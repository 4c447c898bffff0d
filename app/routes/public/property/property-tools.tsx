import { useEffect, useState } from 'react';
import { Icon, type IconDrawing } from '#ui/icon.tsx';
import { Link as LinkGlyph, Printer, Share2 } from '#ui/property-glyphs.ts';
import { toast } from '#ui/toast.ts';

interface Props {
  /** what is shared: the property's name and address on the web */
  title: string;
  url: string;
}

/** Sharing, copying the link and printing; sharing only where the browser can. */
export function PropertyTools({ title, url }: Props) {
  const [canShare, setCanShare] = useState(false);
  /** A press before the code of these buttons is there would be lost. */
  const [ready, setReady] = useState(false);
  useEffect(() => {
    setReady(true);
    setCanShare(typeof navigator.share === 'function');
  }, []);

  async function share() {
    try {
      await navigator.share({ title, url });
    } catch (error) {
      // Closing the browser's own dialog is no failure.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      toast({ title: 'The property could not be shared.', text: 'Copy its link instead.', tone: 'bad' });
    }
  }
  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      toast({ title: 'Link copied' });
    } catch {
      toast({
        title: 'The link could not be copied.',
        text: `Please copy it from here: ${url}`,
        tone: 'bad',
      });
    }
  }
  return (
    <div className="property-tools needs-js">
      {canShare && <Tool icon={Share2} label="Share" ready={ready} onClick={() => void share()} />}
      <Tool icon={LinkGlyph} label="Copy link" ready={ready} onClick={() => void copy()} />
      <Tool icon={Printer} label="Print" ready={ready} onClick={() => print()} />
    </div>
  );
}

interface ToolProps {
  icon: IconDrawing;
  label: string;
  ready: boolean;
  onClick: () => void;
}

function Tool({ icon, label, ready, onClick }: ToolProps) {
  return (
    <button type="button" className="btn btn-ghost btn-sm property-tool" disabled={!ready} onClick={onClick}>
      <Icon of={icon} size={16} />
      <span className="vh-s">{label}</span>
    </button>
  );
}
