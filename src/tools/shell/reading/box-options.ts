import { fileOptionsOf, type OptionSpec, optionSpec, readOptions, type Words } from "./options.ts";
import { optionsListed } from "./read-program.ts";

/**
 * Options by which a program only reads and starts nothing, beside those that the tables of meanings list, from the manuals of their systems. A value
 * that begins with a dash counts as an option itself, but of those with an equals sign.
 */
const rows: readonly { names: string; options: string }[] = [
  { names: "cat", options: "--show-tabs --show-nonprinting" },
  {
    names: "nl",
    options: `-b? -d? -f? -h? -i? -l? -p -n? -s? -v? -w? --body-numbering? --section-delimiter? --footer-numbering? --header-numbering?
      --line-increment? --join-blank-lines? --number-format? --no-renumber --number-separator? --starting-line-number? --number-width?`,
  },
  {
    names: "head tail",
    options:
      "-f -F -r -s? --silent --zero-terminated --follow? --retry --pid? --sleep-interval? --max-unchanged-stats? -b?",
  },
  { names: "wc", options: "--total?" },
  { names: "cut", options: "-w --zero-terminated" },
  { names: "paste", options: "--zero-terminated" },
  { names: "fold", options: "-0" },
  {
    names: "fmt",
    options: "-0 -p? -g? -n -m --prefix? --goal? --crown-margin --split-only --tagged-paragraph --uniform-spacing",
  },
  {
    names: "column",
    options: `-n? -O? -N? -l? -E? -d -e -H? -R? -T? -W? -L -J -r? -i? -p? -o? --table-name? --table-order? --table-columns?
      --table-columns-limit? --table-noextreme? --table-noheadings --table-header-repeat --table-hide? --table-right? --table-truncate?
      --table-wrap? --keep-empty-lines --json --tree? --tree-id? --tree-parent? --output-width? --output-separator? --separator? --fillrows`,
  },
  { names: "expand unexpand", options: "-0 --first-only" },
  { names: "comm", options: "-i --output-delimiter? --zero-terminated" },
  { names: "join", options: "--ignore-case --header --zero-terminated" },
  {
    names: "od",
    options: `-f -h -i -l -S? -w? -D -O -X -H -I -L -e -B -F --address-radix? --endian? --skip-bytes? --read-bytes? --strings? --format?
      --output-duplicates --width? --traditional`,
  },
  {
    names: "hexdump hd",
    options: `-b -c -C -d -o -x -X -v -n? -s? -e? -L? --one-byte-octal --one-byte-char --canonical --two-bytes-decimal --two-bytes-octal
      --two-bytes-hex --color? --format? --length? --skip? --no-squeezing`,
  },
  {
    names: "strings",
    options:
      "-0 -d -f -w -o -e? -s? --all --data --print-file-name --bytes? --radix? --include-all-whitespace --encoding? --output-separator?",
  },
  {
    names: "file",
    options: `-c -I -N -n -0 -r -s -e? -F? --mime-encoding --extension --keep-going --dereference --no-dereference --no-buffer --no-pad
      --print0 --raw --special-files --exclude? --exclude-quiet? --separator? --apple`,
  },
  {
    names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum",
    options: `-a? -l? -w -r -s -o? -0 --binary --text --zero --algorithm? --length? --untagged --raw --base64 --ignore-missing --quiet --status
      --strict --warn --sysv --debug`,
  },
  { names: "uniq", options: "--all-repeated? --group? --zero-terminated" },
  {
    names: "diff",
    options: `-0 -e -T -t -F? -I? -D? -x= -L? -P -H --normal --report-identical-files --context? --ed --rcs --width? --left-column
      --suppress-common-lines --show-c-function --show-function-line? --label? --expand-tabs --initial-tab --tabsize? --suppress-blank-empty
      --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude? --ignore-case
      --ignore-tab-expansion --ignore-trailing-space --ignore-matching-lines? --text --ifdef? --old-group-format? --new-group-format?
      --changed-group-format? --unchanged-group-format? --line-format? --old-line-format? --new-line-format? --unchanged-line-format?
      --horizon-lines? --speed-large-files --palette?`,
  },
  {
    names: "colordiff",
    options: `-0 -q -s -u -U? -c -C? -y -W? -i -w -b -B -E -Z -a -N -p -r -n -e -t -T --brief --unified? --context? --recursive --color? --new-file
      --side-by-side --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --text --minimal --width? --exclude?`,
  },
  { names: "cmp", options: "-h -x -z" },
  { names: "tr", options: "-u --truncate-set1" },
  {
    names: "zcat bzcat xzcat",
    options: "-f -q -v -c -d -k -t -l -s --force --quiet --stdout --decompress --keep --test --list",
  },
  { names: "look", options: "-a -b -d -f -t? --alternative --alphanum --ignore-case --terminate?" },
  {
    names: "pr",
    options: `-0 -a -c -d -D? -e? -F -f -h? -i? -J -l? -m -n? -N? -o? -r -s? -S? -t -T -v -w? -W? --columns? --across --show-control-chars
      --double-space --date-format? --expand-tabs? --form-feed --header? --output-tabs? --join-lines --length? --merge --number-lines?
      --first-line-number? --indent? --no-file-warnings --separator? --sep-string? --omit-header --omit-pagination --show-nonprinting
      --width? --page-width?`,
  },
  {
    names: "numfmt",
    options: `-0 -d? -z --debug --delimiter? --field? --format? --from? --from-unit? --grouping --header? --invalid? --padding? --round?
      --suffix? --to? --to-unit? --zero-terminated`,
  },
  {
    names: "jq",
    options: `-R -C -h -V --arg? --argjson? --args --jsonargs --indent? --stream --stream-errors --seq --raw-input --raw-output0 --join-output
      --ascii-output --color-output --monochrome-output --unbuffered`,
  },
  {
    names: "grep egrep fgrep zgrep",
    options: `-c -E -F -G -P -i -v -w -x -l -L -m? -o -q -s -b -H -h -n -A? -B? -C? -a -I -Z -e= -y -T -u -r -R -0 -U -z -d? -D? -p -O -S --color?
      --colour? --include? --exclude? --exclude-dir? --line-buffered --null-data --no-ignore-case --byte-offset --initial-tab --binary
      --label? --binary-files? --directories? --devices? --group-separator? --no-group-separator --count --ignore-case --invert-match
      --line-number --only-matching --quiet --regexp=`,
  },
  {
    names: "ls",
    options: `-D -I? -T? -w? -O -@ -e -% --author --escape --block-size? --ignore-backups --dired --file-type --format? --no-group --si
      --dereference-command-line --dereference-command-line-symlink-to-dir --hide? --hyperlink? --indicator-style? --inode --ignore?
      --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style?
      --size --time-style? --tabsize? --width? --context --zero --classify?`,
  },
  { names: "stat", options: "-n -q -r -s -x -F -l -f? --file-system --cached?" },
  {
    names: "readlink realpath",
    options: `-v -L -P --canonicalize-existing --canonicalize-missing --logical --physical --quiet --silent --verbose --zero --strip
      --no-symlinks --relative-to? --relative-base?`,
  },
  { names: "sort", options: "-H -N -s --buffer-size?" },
  {
    names: "diff3",
    options:
      "-L? --show-all --ed --show-overlap --easy-only --overlap-only --merge --text --strip-trailing-cr --initial-tab --label?",
  },
  { names: "base64 base32", options: "-d -D -i -w? -b? --decode --ignore-garbage --wrap? --break?" },
  {
    names: "readelf",
    options: `-a -h -l -S -g -t -e -s -C -U? -n -r -u -d -V -A -c -D -L -x? -p? -R? -z -w? -I -W -T -P --all --file-header --program-headers
      --segments --section-headers --sections --section-groups --section-details --headers --syms --symbols --dyn-syms --lto-syms
      --sym-base? --demangle? --no-demangle --recurse-limit --no-recurse-limit --unicode? --notes --relocs --unwind --dynamic
      --version-info --arch-specific --archive-index --use-dynamic --lint --enable-checks --hex-dump? --string-dump? --relocated-dump?
      --decompress --debug-dump? --dwarf-depth? --dwarf-start? --process-links --ctf? --sframe? --histogram --wide --silent-truncation`,
  },
  {
    names: "nm",
    options: `-e -f? -j -s -t? -U -W -X --debug-syms --print-file-name --demangle? --no-demangle --recurse-limit --no-recurse-limit --dynamic
      --format? --extern-only --ifunc-chars? --just-symbols --line-numbers --numeric-sort --no-sort --portability --reverse-sort
      --print-size --print-armap --quiet --size-sort --special-syms --synthetic --radix? --target? --undefined-only --defined-only
      --unicode? --no-weak --with-symbol-versions`,
  },
  { names: "size", options: "-A -B -G -d -x -t -f -m -l --format? --radix? --totals --common --target?" },
  {
    names: "objdump",
    options: `-a -f -p -h -x -d -D -S -s -g -e -G -W? -t -T -r -R -i -b? -m? -j? -M? -EB -EL -l -F -C -w -U? -z --archive-headers
      --file-headers --private-headers --section-headers --headers --all-headers --disassemble? --disassemble-all --source
      --source-comment? --full-contents --debugging --debugging-tags --stabs --dwarf? --ctf? --sframe? --syms --dynamic-syms --reloc
      --dynamic-reloc --info --target? --architecture? --section? --disassembler-options? --endian? --file-start-context
      --line-numbers --file-offsets --demangle? --recurse-limit --no-recurse-limit --wide --unicode? --disassemble-zeroes
      --start-address? --stop-address? --no-addresses --prefix-addresses --show-raw-insn --no-show-raw-insn --insn-width? --adjust-vma?
      --show-all-symbols --special-syms --inlines --prefix-strip? --dwarf-depth? --dwarf-start? --dwarf-check
      --visualize-jumps? --disassembler-color?`,
  },
  {
    names: "ag",
    options: `-0 -A? -B? -C? -D -F -g? -G? -H -m? -Q -r -R -t -W? -z --ackmate --after? --before? --context? --all-types --all-text --count
      --break --nobreak --color --nocolor --color-line-number? --color-match? --color-path? --column --depth? --follow --fixed-strings
      --filename --nofilename --file-search-regex? --group --nogroup --heading --noheading --hidden --ignore-case --ignore? --ignore-dir?
      --files-with-matches --files-without-matches --max-count? --multiline --nomultiline --norecurse --recurse --nonumbers --numbers
      --one-device --only-matching --literal --case-sensitive --smart-case --search-binary --search-files --search-zip --stats
      --stats-only --silent --passthrough --passthru --print-all-files --print-long-lines --parallel --vimgrep --unrestricted
      --skip-vcs-ignores --invert-match --word-regexp --width? --null --print0 --list-file-types --nopager --js --ts --python --ruby
      --go --java --json --html --css --cc --cpp --rust --shell --sql --xml --yaml --markdown --md --php --perl`,
  },
  {
    names: "ack",
    options: `-1 -A? -B? -C? -I -m? -P -R -S -t? -T? --after-context? --before-context? --context? --break --nobreak --color --nocolor --colour
      --nocolour --color-filename? --color-match? --color-colno? --color-lineno? --column --nocolumn --count --filter --nofilter --flush
      --no-filename --with-filename --heading --noheading --group --nogroup --ignore-case --no-ignore-case --smart-case --no-smart-case
      --ignore-dir? --noignore-dir? --ignore-directory? --ignore-file? --known-types --files-with-matches --files-without-matches
      --max-count? --match= --no-recurse --recurse --nopager --noenv --proximate? --passthru --print0 --literal --range-start?
      --range-end? --sort-files --show-types --type? --type-add? --type-set? --type-del? --underline --invert-match --word-regexp
      --help-types --js --ts --python --ruby --go --java --json --html --css --cc --cpp --rust --shell --sql --xml --yaml --markdown
      --php --perl`,
  },
  {
    names: "tree",
    options: `-l -x -q -N -Q -p -u -g -D -F -v -t -c -U -r -A -S -n -C -X -J --gitignore --ignore-case --matchdirs --metafirst --prune --info
      --charset? --filelimit? --si --du --timefmt? --inodes --device --filesfirst --sort? --nolinks`,
  },
  {
    names: "du",
    options: `-0 -A -B? -D -g -H -l -L -n -P -r -t? --null --all --block-size? --bytes --total --dereference-args --inodes --dereference
      --count-links --no-dereference --separate-dirs --si --threshold? --time? --time-style? --one-file-system`,
  },
  {
    names: "ps",
    options: `-0 -A -a -c -C? -d -e -f -F -g? -G? -H -j -l -L -m -M -N -o? -O? -p? -P -q? -r -s? -t? -T -u? -U? -v -w -x -y -Z --deselect --Group?
      --group? --pid? --ppid? --quick-pid? --sid? --tty? --user? --User? --format? --context --headers --no-headers --no-heading
      --no-headings --cols? --columns? --width? --rows? --lines? --sort= --forest --cumulative`,
  },
  {
    names: "pgrep",
    options: `-d? -l -a -v -w -c -f -g? -G? -i -n -o -O? -P? -s? -t? -u? -U? -x -r? -A -q --delimiter? --list-name --list-full --inverse
      --lightweight --count --full --pgroup? --group? --ignore-case --newest --oldest --older? --parent? --session? --terminal? --euid?
      --uid? --exact --runstates? --ignore-ancestors --cgroup? --ns? --nslist?`,
  },
  {
    names: "free",
    options: `-b -k -m -g -h -l -t -v -s? -c? -w -L --bytes --kilo --mega --giga --tera --peta --kibi --mebi --gibi --tebi --pebi --human --si
      --lohi --total --committed --seconds? --count? --wide --line`,
  },
  {
    names: "vmstat",
    options:
      "-a -f -m -n -s -d -D -p? -S? -w -t -y --active --forks --slabs --one-header --stats --disk --disk-sum --wide --timestamp",
  },
  {
    names: "df",
    options: `-a -b -B? -c -g -h -H -i -I -k -l -m -n -P -t? -T -x? -Y --all --block-size? --human-readable --si --inodes --local --no-sync
      --output? --portability --total --type? --print-type --exclude-type?`,
  },
  {
    names: "findmnt",
    options: `-s -m -k -A -a -b -C -c -D -d? -e -f -i -J -l -n -O? -o? -P -R -r -S? -T? -M? -t? -U -u -v --fstab --mtab --kernel --all --ascii
      --bytes --canonicalize --nocanonicalize --df --direction? --evaluate --first-only --invert --json --list --noheadings --options?
      --output? --output-all --pairs --pseudo --real --shadowed --submounts --raw --source? --target? --tree --mountpoint? --types?
      --uniq --notruncate --nofsroot --vfs-all`,
  },
  {
    names: "lsblk",
    options: `-A -D -E? -I? -J -M -O -P -S -T? -N -v -a -b -d -e? -f -i -l -m -n -o? -p -r -s -t -w? -x? -y -z --noempty --discard --dedup? --include?
      --json --merge --output-all --pairs --scsi --tree? --all --bytes --nodeps --exclude? --fs --ascii --list --perms --noheadings
      --output? --paths --raw --inverse --topology --width? --sort? --zoned`,
  },
  { names: "uptime", options: "-p -s --pretty --since" },
  {
    names: "lscpu",
    options: `-a -b -B -C? -c -J -e? -p? -x -y --all --online --bytes --caches? --offline --json --extended? --parse? --hex --physical
      --output-all`,
  },
  { names: "locale", options: "-a -m -c -k -v --all-locales --charmaps --category-name --keyword-name --verbose" },
  { names: "getconf", options: "-a" },
  { names: "printenv", options: "-0 --null" },
  {
    names: "who w users",
    options: `-a -b -d -H -l -m -p -q -r -s -t -T -w -u -h -f -o -i --all --boot --dead --heading --ips --login --lookup --process --count
      --runlevel --short --time --mesg --users --message --writable --no-header --no-current --from --ip-addr`,
  },
  { names: "nproc", options: "--ignore?" },
  { names: "basename dirname", options: "--multiple --suffix? --zero" },
  { names: "seq", options: "-0 -t? --format? --separator? --equal-width" },
];

const options = new Map(rows.flatMap((row) => row.names.split(" ").map((name) => [name, row.options] as const)));

/** As the tables of meanings have them, and as others of the name take them. */
function specsOf(name: string): OptionSpec[] {
  const more = optionSpec(options.get(name) ?? "");
  return optionsListed(name).map((spec) => new Map([...more, ...spec]));
}

/** Tells whether each option among the words is known, and the program writes or starts nothing by any of them. */
export const hasListedOptions = (name: string, words: Words): boolean =>
  specsOf(name).every((spec) => {
    const { strange, options: given } = readOptions(words, spec, true);
    return strange.length === 0 && fileOptionsOf(given).every(({ does }) => does === "reads");
  });
