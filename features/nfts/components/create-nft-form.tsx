import { FileText } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Form, useNavigation } from 'react-router';
import {
  DEFAULT_TOKEN_DESCRIPTION,
  DEFAULT_TOKEN_NAME,
  MAX_TOKEN_DESCRIPTION,
  MAX_TOKEN_NAME,
} from '#features/chain/model.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { DrawerFacts } from '#ui/drawer.tsx';
import { FieldError } from '#ui/field.tsx';
import { Icon } from '#ui/icon.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { NftNetwork } from '../model.ts';
import { nftMessages } from '../rules.ts';
import './create-nft.css';

export const CREATE_NFT = 'create-nft';
/** What the page gets back of the form after a refusal. */
export const nftFields = ['recipient', 'name', 'description'] as const;

/** What the answer adds when the recipient was named: the wallet to confirm. */
export interface NftAnswer {
  resolved?: { name: string; address: string };
}

interface Props {
  propertyId: string;
  /** the chosen document; null while none is */
  document: { id: string; name: string } | null;
  where: NftNetwork;
  answer: (ActionData & NftAnswer) | undefined;
}

/** Makes a token of the chosen document for a recipient. A recipient who was named is confirmed by address first. */
export function CreateNftForm({ propertyId, document, where, answer }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const sending = usePendingForm(CREATE_NFT) !== null;
  const isReading = useNavigation().state !== 'idle';
  const mine = answer?.intent === CREATE_NFT ? answer : undefined;
  const { errors = {}, input = {}, resolved } = mine ?? {};
  // A second press that was meant for the name must not confirm an address that nobody has seen yet.
  const pending = sending || (resolved !== undefined && isReading);
  // A toast without fields is about all of it.
  const failed =
    mine && !mine.ok && !mine.errors && !resolved ? (mine.toast?.text ?? nftMessages.failed) : null;
  useLayoutEffect(() => {
    if (mine?.errors && !pending) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [mine, pending]);
  return (
    <Panel title="Create NFT" inset>
      <Form
        ref={form}
        method="post"
        className="create-nft"
        preventScrollReset
        noValidate
        onSubmit={(event) => pending && event.preventDefault()}
      >
        <IntentField is={CREATE_NFT} />
        <input type="hidden" name="property" value={propertyId} />
        <input type="hidden" name="document" value={document?.id ?? ''} />
        <div className="f">
          <span className="flabel">Document</span>
          <p className="create-nft-document">
            <Icon of={FileText} size={16} />
            {document?.name ?? 'None selected'}
          </p>
          {errors.document && (
            <div className="fnote" role="alert">
              <FieldError>{errors.document}</FieldError>
            </div>
          )}
        </div>
        <TextInput
          // The address that was found takes the place of the name, to be confirmed.
          key={resolved?.address}
          label="Recipient address"
          name="recipient"
          placeholder="0x..."
          defaultValue={resolved?.address ?? input.recipient ?? ''}
          error={errors.recipient}
          hint={
            where.nameSuffix
              ? `The recipient’s address on ${where.network ?? 'Base'}, or a name such as name${where.nameSuffix}`
              : `The recipient’s address on ${where.network ?? 'Base'}`
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={300}
        />
        {resolved && (
          <Notice tone="info" title={`${resolved.name} is this address now`}>
            <p className="break-all">
              {resolved.address}. Compare it with what the recipient told you, then press Create NFT again.
            </p>
          </Notice>
        )}
        <details open={errors.name !== undefined || errors.description !== undefined}>
          <summary className="link">Name and description</summary>
          <div className="create-nft-words">
            <TextInput
              label="Name"
              name="name"
              defaultValue={input.name ?? DEFAULT_TOKEN_NAME}
              maxLength={MAX_TOKEN_NAME}
              error={errors.name}
            />
            <TextArea
              label="Description"
              name="description"
              rows={3}
              defaultValue={input.description ?? DEFAULT_TOKEN_DESCRIPTION}
              maxLength={MAX_TOKEN_DESCRIPTION}
              error={errors.description}
              hint="Anyone can read it. Write nothing personal."
            />
          </div>
        </details>
        <DrawerFacts
          facts={[
            ['Network', where.network ?? 'Chain not configured'],
            [
              'Status after creation',
              <Badge key="status" tone="mute">
                Pending
              </Badge>,
            ],
          ]}
        />
        <p className="hint">{nftMessages.notTitle}</p>
        {failed && (
          <Notice tone="bad" title={nftMessages.failed}>
            {failed !== nftMessages.failed && <p>{failed}</p>}
          </Notice>
        )}
        <Button type="submit" wide busy={pending}>
          {pending ? 'Creating NFT...' : 'Create NFT'}
        </Button>
      </Form>
    </Panel>
  );
}
