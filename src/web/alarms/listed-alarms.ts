import { useEffect } from 'preact/hooks'
import type { Live } from '../gateway/live.js'

/** The open alarms of the site, or of one equipment, which are read while they are shown. */
export function useOpenAlarms(live: Live, equipmentId?: string): Live['site']['alarms']['value'] {
  useEffect(() => {
    live.list(equipmentId === undefined ? {} : { equipment_id: equipmentId })
    return () => live.list(undefined)
  }, [live, equipmentId])
  return live.site.alarms.value
}
