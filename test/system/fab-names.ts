/** What makers and sites call equipment: bay, maker, model, position and chamber in one name. */
const FAMILIES = [
  'ETCH-AMAT-CENTURA-AP',
  'LITHO-ASML-NXT2000i',
  'CVD-LAM-VECTOR-EXPRESS',
  'IMP-AXCELIS-PURION-H',
  'CMP-EBARA-FREX300X',
  'MET-KLA-SPECTRASHAPE',
  'WET-SCREEN-SU3200',
  'TRACK-TEL-LITHIUS-PRO-Z',
]

/** So many names as a fab has them, each with the bay in which its family stands. */
export const fabNames = (count: number): readonly { readonly name: string; readonly bay: string }[] =>
  Array.from({ length: count }, (_, at) => {
    const family = FAMILIES[at % FAMILIES.length] ?? ''
    const place = String(1 + Math.floor(at / FAMILIES.length)).padStart(2, '0')
    return { name: `${family}-${place}-CH${'ABCD'[at % 4]}`, bay: family.split('-')[0] ?? '' }
  })
