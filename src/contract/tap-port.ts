import type { Tap } from './topics/equipment/equipment-tap.js'

interface Tapped {
  readonly mode: string
  readonly port: number | null
  readonly tap: Tap | null
}

/** The port of the gateway at which the tap of equipment listens; null without a tap. */
export const tapPort = ({ mode, port, tap }: Tapped): number | null =>
  tap && (mode === 'passive' ? tap.listen_port : port)
