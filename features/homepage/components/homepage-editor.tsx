import './homepage-editor.css';
import { startTransition, useEffect, useRef, useState } from 'react';
import { Form, useRevalidator } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { toast } from '#ui/toast.ts';
import { useDiscardQuestion } from '#ui/use-discard-question.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { HomepageContent, SavedHomepage } from '../model.ts';
import { HERO_LIMITS, homepageMessages } from '../rules.ts';
import { CountedLine } from './counted-line.tsx';
import { HeroImageField } from './hero-image-field.tsx';
import { HeroPreview } from './hero-preview.tsx';
import { dropUploadedImage, sendHeroImage } from './send-hero-image.ts';

type Answer = (ActionData & { newer?: SavedHomepage }) | undefined;

interface EditorProps {
  saved: SavedHomepage;
  /** the form is open */
  editing: boolean;
  answer: Answer;
}

/** The hero of the home page beside its preview: read-only until it is edited. */
export function HomepageEditor({ saved, editing, answer }: EditorProps) {
  const { revalidate } = useRevalidator();
  const [reloads, setReloads] = useState(0);
  const edit = useRef<HTMLAnchorElement>(null);
  const wasEditing = useRef(editing);
  useEffect(() => {
    if (wasEditing.current && !editing) edit.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  if (editing)
    return (
      <HeroForm
        key={reloads}
        saved={saved}
        answer={reloads === 0 ? answer : undefined}
        // With what was read, which the router shows in a transition.
        onReload={() => void revalidate().then(() => startTransition(() => setReloads((times) => times + 1)))}
      />
    );
  return (
    <HeroPanel
      content={saved.content}
      actions={
        <ButtonLink ref={edit} to={adminPaths.homepage({ edit: 1 })} preventScrollReset>
          Edit Content
        </ButtonLink>
      }
    >
      <HeroFields content={saved.content} />
    </HeroPanel>
  );
}

interface FormProps {
  saved: SavedHomepage;
  answer: Answer;
  /** shows what is saved now instead of what was typed */
  onReload: () => void;
}

function HeroForm({ saved, answer, onReload }: FormProps) {
  // What is saved meanwhile by others neither changes the form nor what its changes are compared with.
  const [base] = useState(saved);
  // What the next save replaces: what was read first, or what another administrator saved, once the form has said so.
  const [replaced, setReplaced] = useState(saved);
  const typed = answer?.input;
  const [content, setContent] = useState<HomepageContent>({
    ...base.content,
    ...(typed && { title: typed.title ?? '', subtitle: typed.subtitle ?? '' }),
  });
  const newer = answer?.newer;
  if (newer && newer.version !== replaced.version) {
    setReplaced(newer);
    // A picture that was not chosen here is not what this form changes; the one it showed may be deleted by now.
    if (content.image?.id === replaced.content.image?.id)
      setContent((before) => ({ ...before, image: newer.content.image }));
  }
  const [uploaded, setUploaded] = useState<string | null>(null);
  const [imageError, setImageError] = useState<string>();
  const [uploading, setUploading] = useState(false);
  const title = useRef<HTMLInputElement>(null);
  const saving = usePendingForm('save') !== null;
  useEffect(() => title.current?.focus(), []);

  const dirty =
    content.title !== base.content.title ||
    content.subtitle !== base.content.subtitle ||
    content.image?.id !== replaced.content.image?.id ||
    uploading;
  const drop = () => {
    if (uploaded !== null) void dropUploadedImage(uploaded);
    setUploaded(null);
  };
  const question = useDiscardQuestion(dirty, drop);
  const upload = async (file: File) => {
    setUploading(true);
    const answered = await sendHeroImage(file);
    setUploading(false);
    if ('error' in answered) {
      setImageError(answered.error);
      const { tooLarge, uploadFailed } = homepageMessages;
      const text = answered.error === tooLarge ? tooLarge : uploadFailed;
      return toast({ title: 'Error', text, tone: 'bad' });
    }
    drop();
    setUploaded(answered.image.id);
    setImageError(undefined);
    setContent((before) => ({ ...before, image: answered.image }));
    toast({ title: homepageMessages.uploaded });
  };
  return (
    <HeroPanel
      content={content}
      actions={
        <>
          <ButtonLink
            variant="outline"
            to={adminPaths.homepage()}
            preventScrollReset
            onClick={dirty ? undefined : drop}
          >
            Cancel
          </ButtonLink>
          <Button type="submit" form="hero-form" busy={saving} disabled={uploading}>
            Save Changes
          </Button>
        </>
      }
    >
      <Form
        method="post"
        action={adminPaths.homepage({ edit: 1 })}
        id="hero-form"
        noValidate
        preventScrollReset
      >
        <IntentField is="save" />
        <input type="hidden" name="version" value={replaced.version ?? ''} />
        <input type="hidden" name="image" value={content.image?.id ?? ''} />
        {newer && <NewerNotice newer={newer} onReload={onReload} />}
        <HeroFields
          content={content}
          errors={{ ...answer?.errors, ...(imageError && { image: imageError }) }}
          form={{
            title,
            uploading,
            onType: (texts) => setContent((before) => ({ ...before, ...texts })),
            onFile: (file) => void upload(file),
            onRemove: () => {
              drop();
              setImageError(undefined);
              setContent((before) => ({ ...before, image: null }));
            },
          }}
        />
      </Form>
      {question}
    </HeroPanel>
  );
}

interface PanelProps {
  content: HomepageContent;
  actions: React.ReactNode;
  children: React.ReactNode;
}

const HeroPanel = ({ content, actions, children }: PanelProps) => (
  <div className="hero-editor">
    <Panel title="Hero Section" actions={actions} inset className="mt-0!">
      {children}
    </Panel>
    <HeroPreview content={content} />
  </div>
);

interface FieldsProps {
  content: HomepageContent;
  errors?: Partial<Record<string, string>>;
  /** without it the fields are read-only */
  form?: {
    title: React.RefObject<HTMLInputElement | null>;
    uploading: boolean;
    onType: (texts: Partial<Pick<HomepageContent, 'title' | 'subtitle'>>) => void;
    onFile: (file: File) => void;
    onRemove: () => void;
  };
}

function HeroFields({ content, errors, form }: FieldsProps) {
  const readOnly = form === undefined;
  return (
    <div className="hero-fields">
      <CountedLine
        label="Hero Title"
        name="title"
        value={content.title}
        max={HERO_LIMITS.title}
        error={errors?.title}
        readOnly={readOnly}
        {...(form && { fieldRef: form.title })}
        onType={(title) => form?.onType({ title })}
      />
      <CountedLine
        label="Hero Subtitle"
        name="subtitle"
        value={content.subtitle}
        max={HERO_LIMITS.subtitle}
        error={errors?.subtitle}
        readOnly={readOnly}
        multiline
        onType={(subtitle) => form?.onType({ subtitle })}
      />
      <HeroImageField
        image={content.image}
        editing={!readOnly}
        busy={form?.uploading ?? false}
        error={errors?.image}
        onFile={(file) => form?.onFile(file)}
        onRemove={() => form?.onRemove()}
      />
    </div>
  );
}

/** Somebody else was faster: says what is saved now. */
function NewerNotice({ newer, onReload }: { newer: SavedHomepage; onReload: () => void }) {
  const { content, changedBy, changedAt } = newer;
  return (
    <Notice tone="bad" title={homepageMessages.newer}>
      <p>
        Changed by {changedBy ?? 'another administrator'}
        {changedAt && (
          <>
            {', '}
            <LocalTime of={changedAt} as="exact" />
          </>
        )}
        . Saved now: “{content.title}” and “{content.subtitle}”. What you typed here is not saved: save again
        to replace it, or reload.
      </p>
      <ButtonLink
        size="sm"
        variant="outline"
        className="mt-3"
        to={adminPaths.homepage({ edit: 1 })}
        onClick={(event) => {
          event.preventDefault();
          onReload();
        }}
      >
        Reload
      </ButtonLink>
    </Notice>
  );
}
