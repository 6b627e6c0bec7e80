/** Names of functions. Each begins with a verb. */
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root, type Source } from './source.ts'

const verbs: ReadonlySet<string> = new Set(
  `
  abandon accept act add admit advise allow announce answer append apply approve are ask assemble
  assert attach authenticate authorize await back begin bind bound bring build burn call can cancel
  carry cast catch change check choose claim clear close collect combine come compare compile
  complain compose compress compute confirm connect contain convert copy count create cut decide
  decode decrypt define delete deliver demand deny derive describe detach detect differ discover distribute
  divide do does drain draw drop edit embed empty enable encode encrypt end enforce ensure enter
  equal escape estimate evaluate examine exchange exclude execute expand expect expire explain
  export extend fail fall feed fetch fill filter find finish fit fix flush fold follow forget
  forgive format forward free freeze gather get give go greet group grow guard guess had hand handle has
  hash have help hide hint hold identify ignore import impose include increment infer inform
  initialise insert inspect install intersect introspect invalidate invite is issue iterate join
  judge keep label lay lead learn leave let lift limit link list listen load locate lock log look
  loop lower make map mark match may measure meet mend merge migrate mint move must narrow need
  needs nest normalize note notify number obey observe obtain offer open operate order own pack
  page park parse pass pause pay perform pick ping place plan point poll post postpone prefer prepare
  present print prompt protect prove prune publish pull purge push put query queue quote raise rank rate
  reach read recall receive record recover redact redeem reduce refer refresh refuse register
  rehash reject relate relay release rely remain remember remove rename render repair repeat
  replace replay report request require resend reserve reset resolve respond rest restore resume
  retire retry return reuse revoke rewrap rotate round route run save say scale scan schedule score seal
  search see seed seek select send separate serve set settle share shift shorten show shrink sign
  sit situate skip sleep slice slow solve sort speak spell spend split spread stand start state
  stay stem step stop store stringify strip submit subtract succeed sum supply support surround
  suspend swap sync sweep tag take tally tear tell test throttle tidy tie time toggle touch trace track
  transform translate trim truncate trust try turn unbind undo unite unlink unlock unpack unseal
  unwrap update upsert use validate verify visit vouch wait wake walk want warn was watch weigh
  will wipe withdraw work wrap write yield
  `
    .trim()
    .split(/\s+/),
)

const declared =
  /^(?:export )?(?:const (?<constant>[a-z]\w*)(?:: (?<type>[^=\n]+))? =\s*(?:async )?(?:<[^(]*>)?\((?:[^()]|\([^()]*\))*\)[^=\n]*=>|(?:async )?function\*? (?<named>[a-z]\w*))/gm

/** A function that only makes a fault is called by the fault, as a class is. */
const makesFault = /\): \w*(?:Refusal|Fault|Error) =>$/

/** The tag of a template is called by the language of the template, as editors expect. */
const isTag = /\(strings: TemplateStringsArray\b/

/** Words that describe a form, a column or a part of a statement. They read as nouns, as in a schema. */
const vocabularies: ReadonlySet<string> = new Set([
  'clients/metadata.ts',
  'clients/openid-metadata.ts',
  'model/codec/types.ts',
  'store/sql/columns.ts',
  'store/sql/filter.ts',
  'store/sql/row.ts',
  'store/sql/statement.ts',
])

/** The source files of the doors of the package, such as `store/index.ts`. */
const doors: ReadonlySet<string> = new Set(
  [...readFileSync(join(root, 'package.json'), 'utf8').matchAll(/"\.\/dist\/([^"]+)\.js"/g)].map(
    ([, path]) => `${path}.ts`,
  ),
)

/** What the doors export from other files, such as `model/ids.ts idBefore`. Programs of others use these names. */
const listExported = (all: readonly Source[]): readonly string[] =>
  all
    .filter(({ path }) => doors.has(path))
    .flatMap(({ path, spoken }) =>
      [...spoken.matchAll(/^export \{([^}]*)\} from '([^']+)'/gm)].flatMap(
        ([, names = '', from = '']) =>
          names.split(',').map((name) => `${posix.join(posix.dirname(path), from)} ${name.trim()}`),
      ),
    )

/** Functions of a file whose name begins with no verb. A word of a schema reads as a noun, as in a vocabulary. */
export const findVerbless = (all: readonly Source[]): readonly string[] => {
  const exported = listExported(all)
  return all
    .filter(({ path }) => !vocabularies.has(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(declared)]
        .filter(([text]) => !makesFault.test(text) && !isTag.test(text))
        .filter(({ groups }) => groups?.type !== 'Schema')
        .map(({ groups }) => groups?.constant ?? groups?.named ?? '')
        .filter((name) => !verbs.has(/^[a-z]+/.exec(name)?.[0] ?? ''))
        .map((name) => `${path} ${name}`),
    )
    .filter((name) => !exported.includes(name))
}
