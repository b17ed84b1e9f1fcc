interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft: number | string } }
}

/** How many files and sockets this process may have open; infinity where there is no limit, or none that the system reports. */
function descriptorLimit(): number {
  const { userLimits } = process.report.getReport() as Report
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}

/**
 * How many connections the API may have: half of the file descriptors, so that the other half is left for
 * equipment and for the files of the store.
 */
export const connectionLimit = (descriptors = descriptorLimit()): number =>
  Math.max(1, Math.floor(descriptors / 2))
