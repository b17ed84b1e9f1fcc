import { controlBytes, HsmsWire } from '../../support/hsms-wire.js'

/** Every way of being connected and not selected. */
export const UNSELECTED = [
  { how: 'the passive side awaits Select.req', wire: () => HsmsWire.connected('passive') },
  {
    how: 'the active side awaits Select.rsp',
    wire: () => {
      const wire = HsmsWire.connected('active')
      wire.written()
      return wire
    },
  },
  ...(['active', 'passive'] as const).map((role) => ({
    how: `the ${role} side is deselected`,
    wire: () => {
      const wire = HsmsWire.selected(role)
      wire.receive(controlBytes('deselectReq'))
      wire.written()
      return wire
    },
  })),
]

/** Either side, selected. */
export const SELECTED = (['active', 'passive'] as const).map((role) => ({
  how: `the ${role} side is selected`,
  wire: () => HsmsWire.selected(role),
}))
