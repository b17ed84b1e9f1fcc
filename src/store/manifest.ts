/** The digests of a backup's files, in the form that `sha256sum --check` reads. */
export const MANIFEST_NAME = 'SHA256SUMS'
