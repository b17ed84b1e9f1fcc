/**
 * What two spellings of one email have in common: letters in either case, and characters of other widths or styles that
 * Unicode calls compatible (NFKC).
 */
export const comparableEmail = (email: string): string =>
  email.normalize('NFKC').toLowerCase().normalize('NFKC')
