import { useState } from 'react';
import { data } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import {
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { saveGateway } from '#features/content/commands/save-gateway.ts';
import { GatewayForm } from '#features/content/components/gateway-form.tsx';
import type { SavedGateway } from '#features/content/model.ts';
import { savedGateway } from '#features/content/reads.ts';
import { contentMessages } from '#features/content/rules.ts';
import { publishPolicy } from '#features/policies/commands/publish-policy.ts';
import { PolicyEditor } from '#features/policies/components/policy-editor.tsx';
import { type Policy, type PolicyKind, policyKinds, policyTitles } from '#features/policies/model.ts';
import { policyForEditing } from '#features/policies/reads.ts';
import { policyMessages } from '#features/policies/rules.ts';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { saveOperator } from '#features/settings/commands/save-operator.ts';
import { LISTING_RULES, ListingRulesForm } from '#features/settings/components/listing-rules-form.tsx';
import { OperatorForm } from '#features/settings/components/operator-form.tsx';
import type { SavedOperator } from '#features/settings/model.ts';
import { ownershipProofRequired, savedOperator } from '#features/settings/reads.ts';
import { operatorMessages } from '#features/settings/rules.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { useDiscardQuestion } from '#ui/use-discard-question.tsx';
import type { Route } from './+types/settings';

interface Newer {
  newerOperator?: SavedOperator;
  newerGateway?: SavedGateway;
  newerPolicy?: Policy;
}
type Answer = Promise<Response | Refusal<Newer>>;

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const loaded = await readOrNull(ctx, async () => {
    const [operator, gateway, ownershipRequired, terms, privacy] = await Promise.all([
      savedOperator(ctx),
      savedGateway(ctx),
      ownershipProofRequired(ctx),
      policyForEditing(ctx, 'terms'),
      policyForEditing(ctx, 'privacy'),
    ]);
    return { operator, gateway, ownershipRequired, policies: { terms, privacy } };
  });
  return data({ loaded }, loaded ? undefined : { status: 503 });
}

export const action = (args: Route.ActionArgs) =>
  runAction<Newer>(args, {
    intents: {
      operator: saveName,
      gateway: saveGatewayForm,
      [LISTING_RULES]: saveListingRules,
      'publish-terms': (submission) => publish(submission, 'terms'),
      'publish-privacy': (submission) => publish(submission, 'privacy'),
    },
    preserve: ['brand', 'supportAddress', 'gateway', 'body'],
    messages: ({ intent }) => ({ failed: failures[intent] ?? policyMessages.failed }),
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('brand', 'supportAddress', 'gateway', 'body'),
    toast: { title: 'Error', text: operatorMessages.failed },
  });

const failures: Partial<Record<string, string>> = {
  operator: operatorMessages.failed,
  gateway: contentMessages.gatewayFailed,
  [LISTING_RULES]: operatorMessages.failed,
};

async function saveGatewayForm({ ctx, text }: Submission): Answer {
  const result = await saveGateway(ctx, { gateway: text('gateway'), base: text('baseGateway') || null });
  if (result.ok) return redirectWithToast(adminPaths.settings(), { title: contentMessages.gatewaySaved });
  return result.reason === 'newer'
    ? { ok: false, status: 409, extra: { newerGateway: result.current } }
    : invalid({ gateway: result.error });
}

async function saveName({ ctx, text }: Submission): Answer {
  const result = await saveOperator(ctx, {
    brand: text('brand'),
    supportAddress: text('supportAddress'),
    base: { brand: text('baseBrand'), supportAddress: text('baseSupportAddress') || null },
  });
  if (result.ok) return redirectWithToast(adminPaths.settings(), { title: operatorMessages.saved });
  return result.reason === 'newer'
    ? { ok: false, status: 409, extra: { newerOperator: result.current } }
    : invalid(result.errors);
}

async function saveListingRules({ ctx, form }: Submission): Answer {
  const value = form.has('ownershipRequired');
  const result = await changeSetting(ctx, { name: 'ownership_proof_required', value });
  if (!result.ok) throw new Error(`The setting was not changed: ${result.reason}`);
  return redirectWithToast(adminPaths.settings(), { title: operatorMessages.saved });
}

async function publish({ ctx, text }: Submission, kind: PolicyKind): Answer {
  const result = await publishPolicy(ctx, { kind, body: text('body'), base: Number(text('base')) });
  if (result.ok) {
    const title = `${policyTitles[kind]}: version ${result.version} published`;
    return redirectWithToast(adminPaths.settings(), { title });
  }
  if (result.reason === 'invalid') return invalid({ body: result.error });
  if (result.reason === 'unchanged') return conflict({ title: policyMessages.unchanged, tone: 'info' });
  return { ok: false, status: 409, extra: { newerPolicy: result.current } };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Settings', hidden: true });

/** The operator's own texts: name, support address, terms and privacy policy; and where links to public documents lead. */
export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  const { loaded } = loaderData;
  const [dirty, setDirty] = useState<Partial<Record<string, boolean>>>({});
  const question = useDiscardQuestion(Object.values(dirty).some(Boolean), () => setDirty({}));
  useFocusInvalid(actionData?.errors);
  const answerTo = (intent: string): (ActionData & Newer) | undefined =>
    actionData?.intent === intent ? actionData : undefined;
  const mark = (form: string) => (is: boolean) => setDirty((before) => ({ ...before, [form]: is }));
  const operator = answerTo('operator');
  const gateway = answerTo('gateway');
  return (
    <>
      <AreaHead title="Settings" />
      {loaded ? (
        <>
          <OperatorForm
            // Another form once something is saved.
            key={`${loaded.operator.changedAt}`}
            saved={loaded.operator}
            answer={
              operator && { ...operator, ...(operator.newerOperator && { newer: operator.newerOperator }) }
            }
            onDirty={mark('operator')}
          />
          <GatewayForm
            key={`gateway ${loaded.gateway.gateway}`}
            saved={loaded.gateway}
            answer={gateway && { ...gateway, ...(gateway.newerGateway && { newer: gateway.newerGateway }) }}
            onDirty={mark('gateway')}
          />
          <ListingRulesForm
            key={String(loaded.ownershipRequired)}
            ownershipRequired={loaded.ownershipRequired}
            onDirty={mark(LISTING_RULES)}
          />
          {policyKinds.map((kind) => {
            const answer = answerTo(`publish-${kind}`);
            return (
              <PolicyEditor
                key={`${kind} ${loaded.policies[kind].version}`}
                kind={kind}
                policy={loaded.policies[kind]}
                answer={answer && { ...answer, ...(answer.newerPolicy && { newer: answer.newerPolicy }) }}
                brand={loaded.operator.brand}
                support={loaded.operator.supportAddress ?? loaded.operator.derivedAddress}
                onDirty={mark(kind)}
              />
            );
          })}
        </>
      ) : (
        <FailedPanel title="The settings could not be loaded." />
      )}
      {question}
      <FlashToast toast={actionData?.toast} />
    </>
  );
}
