/** What an administrator has told a person, until the person confirms it. */
export interface UserNotice {
  id: string;
  message: string;
  /** ISO, UTC */
  at: string;
}
