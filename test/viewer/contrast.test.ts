import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const css = readFileSync(new URL('../../viewer/style/tokens.css', import.meta.url), 'utf8')

function tokens(theme: string): Map<string, [number, number, number]> {
  const block = css.slice(css.indexOf(`[data-theme=${theme}]`)).split('}')[0] ?? ''
  return new Map([...block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map((m) => [m[1] as string, [Number(m[2]), Number(m[3]), Number(m[4])]]))
}

/** Relative luminance of an oklch colour (CSS Color 4), after clipping to sRGB. */
function luminance([l, c, h]: [number, number, number]): number {
  const [a, b] = [c * Math.cos(h * Math.PI / 180), c * Math.sin(h * Math.PI / 180)]
  const [L, M, S] = [(l + 0.3963377774 * a + 0.2158037573 * b) ** 3, (l - 0.1055613458 * a - 0.0638541728 * b) ** 3, (l - 0.0894841775 * a - 1.291485548 * b) ** 3]
  const clip = (x: number) => Math.min(1, Math.max(0, x))
  return 0.2126 * clip(4.0767416621 * L - 3.3077115913 * M + 0.2309699292 * S) + 0.7152 * clip(-1.2684380046 * L + 2.6097574011 * M - 0.3413193965 * S) + 0.0722 * clip(-0.0041960863 * L - 0.7034186147 * M + 1.707614701 * S)
}

const GROUNDS = ['canvas', 'panel', 'card', 'hover']
const TEXTS = ['fg', 'fg2', 'fg3', 'accent', 'error', 'held', 'run', 's-key', 's-str', 's-num', 's-kw']
const PAIRS: [string, string][] = [...TEXTS.flatMap((text) => GROUNDS.map((ground): [string, string] => [text, ground])),
  ['held', 'held-bg'], ['fg', 'held-bg'], ['fg2', 'held-bg'], ['error', 'held-bg'], ['error', 'error-bg'], ['fg', 'accent-bg'], ['fg2', 'accent-bg'], ['fg', 'press'], ['panel', 'accent']]

for (const theme of ['dark', 'light']) {
  test(`every text colour can be read on every ground it is used on (${theme})`, () => {
    const all = tokens(theme)
    const weak = PAIRS.flatMap(([text, ground]) => {
      const [a, b] = [all.get(text), all.get(ground)]
      if (!a || !b) return [`${text} or ${ground} is missing`]
      const [x, y] = [luminance(a), luminance(b)]
      const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
      return ratio >= 4.5 ? [] : [`${text} on ${ground}: ${ratio.toFixed(2)}`]
    })
    assert.equal(weak, [])
  })
}

test.run()
