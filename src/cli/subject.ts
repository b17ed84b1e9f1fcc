/** What the running command is about, for the hint when it fails. */
export const subject: { equipment?: string } = {}
