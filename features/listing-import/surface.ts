/** Where an import is asked for, whose controls its refusals name. */
export type Surface =
  /** the command line */
  | 'command'
  /** the pages of administrators */
  | 'office'
  /** the pages of a seller, who switches no property types on */
  | 'seller';

const chooseSameHome =
  '. Choose “Fill what is blank in the listing” or “Add another listing of the same home” to import it.';

/** What helps with a refusal, by where it is read. */
export const surfaceWords: Readonly<Record<Surface, { typeIsOff: string; sameHome: string }>> = {
  command: {
    typeIsOff: 'is off; --activate-types switches it on.',
    sameHome: ': --same-home merge fills what is blank there, --same-home keep lists both.',
  },
  office: {
    typeIsOff: 'is off. Choose “Activate property types that the file needs” to switch it on.',
    sameHome: chooseSameHome,
  },
  seller: {
    typeIsOff: 'is off. Ask an administrator to switch it on.',
    sameHome: chooseSameHome,
  },
};
