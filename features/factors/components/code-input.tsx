import { TextInput, type TextInputProps } from '#ui/text-input.tsx';

/** Takes the six digits of an authenticator app, which browsers and password managers fill in. */
export const CodeInput = (
  props: Pick<TextInputProps, 'label' | 'name' | 'hint' | 'error' | 'large' | 'autoFocus'>,
) => (
  <TextInput
    {...props}
    inputMode="numeric"
    autoComplete="one-time-code"
    spellCheck={false}
    maxLength={9}
    className="num"
  />
);
