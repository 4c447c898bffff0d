import type { ComponentProps, ReactNode, Ref } from 'react';
import { Link, type LinkProps } from 'react-router';
import { classNames } from './class-names.ts';
import { Icon, type IconDrawing } from './icon.tsx';
import { Spinner } from './spinner.tsx';

type ButtonVariant = 'primary' | 'outline' | 'soft' | 'ghost' | 'danger' | 'link';
type ButtonSize = 'sm' | 'md' | 'lg';

interface ButtonAppearance {
  variant?: ButtonVariant;
  /** 32 px for tables, 40 px for pages, 48 px for sign-in and purchase forms. */
  size?: ButtonSize;
  /** Fills the available width. */
  wide?: boolean;
  icon?: IconDrawing;
  iconEnd?: IconDrawing;
}

const buttonClass = (
  { variant = 'primary', size = 'md', wide }: ButtonAppearance,
  ...more: (string | false | undefined)[]
) =>
  classNames(
    'btn',
    variant !== 'primary' && `btn-${variant}`,
    size !== 'md' && `btn-${size}`,
    wide && 'btn-wide',
    ...more,
  );

interface ButtonProps extends ButtonAppearance, ComponentProps<'button'> {
  /** Shows a spinner before the label, sets `aria-busy`, keeps the width and ignores clicks. */
  busy?: boolean;
}

/** The standard button. `type` defaults to `button`; a busy button keeps its focus and accessible name. */
export function Button({
  variant,
  size,
  wide,
  icon,
  iconEnd,
  busy,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, size, wide }, busy && !icon && 'btn-spun', className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <Spinner /> : icon && <Icon of={icon} />}
      {children}
      {iconEnd && <Icon of={iconEnd} size={16} />}
    </button>
  );
}

/** A link styled as a button: client-side navigation, and a real `href` before JavaScript has loaded. */
export function ButtonLink({
  variant,
  size,
  wide,
  icon,
  iconEnd,
  className,
  children,
  ...rest
}: ButtonAppearance & LinkProps & { ref?: Ref<HTMLAnchorElement>; children: ReactNode }) {
  return (
    <Link {...rest} className={buttonClass({ variant, size, wide }, className)}>
      {icon && <Icon of={icon} />}
      {children}
      {iconEnd && <Icon of={iconEnd} size={16} />}
    </Link>
  );
}
