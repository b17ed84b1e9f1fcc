import { type Entry, entriesOf } from './explanation.js'

/** Faults of files, as `journal verify` lists them. */
const FILE_FAULT = {
  damaged: `Bytes of a file in the data folder are not what was written, or cannot be read: entries are lost.
    Restore a backup, or start once with --accept-loss to continue without them.
    secsctl journal verify
    secsctl daemon run --accept-loss`,
  missing: `A file or entries of the data folder are not there.
    Restore a backup, or start once with --accept-loss to continue without them.
    secsctl journal verify
    secsctl daemon run --accept-loss`,
  torn: `The last write of a file is not complete: it is in progress, or a crash cut it short.
    Nothing in it was acknowledged, so nothing is lost. The next start removes it.
    secsctl journal verify`,
  index: `An index of the journal is not right.
    Nothing is lost: the daemon makes it again from the journal.
    secsctl journal verify`,
  snapshot: `A snapshot of what the journal amounts to is not right.
    Nothing is lost: the daemon makes it again from the journal.
    secsctl journal verify`,
  previous: `The older copy of a document (.bak) is not right; the document itself is.
    Nothing is lost: the next change of the document replaces the copy.
    secsctl journal verify`,
  given_up: `Entries were lost, and a start with --accept-loss continued without them.
    Nothing is left to do here: the entries do not come back.
    secsctl journal verify`,
  newer: `A newer version of secsctl wrote the file, so that this version does not start on it.
    Install that version again, or restore a backup that this version made.
    secsctl doctor`,
  permissions: `A file of the data folder belongs to another user, or other users have access to it, so that the daemon does not start.
    Give the file to the user of the daemon, and take the access from all others.
    chown USER FILE
    chmod 600 FILE`,
}

export const FILE_FAULT_WORDS: readonly Entry[] = entriesOf('fault of a file', FILE_FAULT)
