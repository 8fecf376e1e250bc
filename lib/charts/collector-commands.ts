/** What the commands need: this server as a node reaches it, the token, and digests of the files it hands out. */
export interface CommandInputs {
  readonly server: string;
  /** Undefined until one is made: a word stands in its place. */
  readonly token: string | undefined;
  readonly sha256: { readonly sh: string; readonly js: string };
}

/** One command, or one file, of a way. */
export interface CommandStep {
  readonly text: string;
  readonly command: string;
}

/** A way to add nodes. */
export interface CommandWay {
  readonly key: "sh" | "systemd" | "daemonset" | "image" | "prometheus";
  readonly title: string;
  /** What it needs, and for whom it is. */
  readonly note: string;
  readonly steps: readonly CommandStep[];
}

const NO_TOKEN = "TOKEN";
/** Nothing that a shell, YAML or a configuration file reads as anything but itself. */
const PLAIN_ADDRESS = /^https?:\/\/[A-Za-z0-9._~:[\]%/-]+$/;

/**
 * The address of a server as commands can hold it, without an end slash; undefined for what is no plain http or https address.
 *
 * @example plainServer("https://plumbline.example:4400/") // "https://plumbline.example:4400"
 */
export function plainServer(text: string): string | undefined {
  const trimmed = text.trim().replace(/\/+$/, "");
  return PLAIN_ADDRESS.test(trimmed) && URL.canParse(trimmed) ? trimmed : undefined;
}

/** Whether an address leads only to the machine it is used on. */
export function isLoopbackServer(server: string): boolean {
  const { hostname } = new URL(server);
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

/** The ways to add nodes, the one that needs least first. `server` must be plain: `plainServer`. */
export function commandWays(inputs: CommandInputs): readonly CommandWay[] {
  const { server, sha256 } = inputs;
  const token = inputs.token ?? NO_TOKEN;
  return [
    {
      key: "sh",
      title: "Shell",
      note: "Any Linux with a POSIX shell and curl, as old as CentOS 7. As root it reads every counter; kernel log, journal and log files are read by the collector for Node.js alone, and the sources page says so.",
      steps: [
        {
          text: "Fetch the collector, compare its digest, keep the token in a file, and start:",
          command: [
            `curl -fsS ${server}/collector.sh -o plumbline-collector.sh`,
            `echo '${sha256.sh}  plumbline-collector.sh' | sha256sum -c -`,
            `(umask 077; printf '%s\\n' '${token}' > plumbline-token)`,
            `sh plumbline-collector.sh --server ${server} --token-file plumbline-token`,
          ].join(" &&\n"),
        },
        {
          text: "It runs until Ctrl-C. For one sample alone, from cron for instance, add --once; to see what is sent and send nothing:",
          command: "sh plumbline-collector.sh --print",
        },
      ],
    },
    {
      key: "systemd",
      title: "systemd",
      note: "Stays across reboots. The unit drops every capability: uid 0 alone reads slabinfo and vmallocinfo.",
      steps: [
        {
          text: "With the shell collector, from systemd 219 on, as root:",
          command: systemdCommands(
            server,
            token,
            { from: "collector.sh", to: "plumbline-collector.sh", sha256: sha256.sh },
            { from: "collector-sh.service", to: "plumbline-collector-sh.service" },
          ),
        },
        {
          text: "With the collector for Node.js 20.19 or later, which also reads kernel log, journal and log files and counts every container started, as root:",
          command: systemdCommands(
            server,
            token,
            { from: "collector.js", to: "collector.mjs", sha256: sha256.js },
            { from: "collector.service", to: "plumbline-collector.service" },
          ),
        },
      ],
    },
    {
      key: "daemonset",
      title: "Kubernetes DaemonSet",
      note: "One pod a node, uid 0 with SYS_PTRACE and no other capability, file systems read-only. The pods fetch the collector from this server and compare its digest. Kernel events come from the messages or syslog file in /var/log: a pod that is not privileged cannot open /dev/kmsg.",
      steps: [
        { text: "Apply the manifest:", command: `kubectl apply -f - <<'EOF'\n${daemonSet(inputs)}EOF` },
      ],
    },
    {
      key: "image",
      title: "Container image",
      note: "For clusters that may run images of their own registry alone, or one host with Docker or Podman.",
      steps: [
        {
          text: "Build the image:",
          command: [
            `curl -fsS ${server}/collector.js -o collector.mjs &&`,
            `echo '${sha256.js}  collector.mjs' | sha256sum -c - &&`,
            "docker build -t plumbline-collector -f - . <<'EOF'",
            "FROM node:20-slim",
            "COPY collector.mjs /collector.mjs",
            'ENTRYPOINT ["node", "--max-old-space-size=64", "--max-semi-space-size=1", "/collector.mjs", "run"]',
            "EOF",
          ].join("\n"),
        },
        {
          text: "Run it on one host, as root; SYSLOG and the device are for the kernel log:",
          command: [
            "install -d -m 700 /etc/plumbline &&",
            `(umask 077; printf '%s\\n' '${token}' > /etc/plumbline/token) &&`,
            "docker run -d --name plumbline-collector --restart unless-stopped --pid host --network host \\",
            "  --user 0 --read-only --cap-drop ALL --cap-add SYS_PTRACE --cap-add SYSLOG --device /dev/kmsg:/dev/kmsg:r \\",
            "  -v /proc:/host/proc:ro -v /sys:/host/sys:ro -v /run:/host/run:ro,rslave \\",
            "  -v /var/log:/host/var/log:ro -v /etc/os-release:/host/etc/os-release:ro \\",
            "  -v /etc/plumbline/token:/token:ro -v /var/lib/plumbline-collector:/spool \\",
            `  -e PLUMBLINE_SERVER=${server} -e PLUMBLINE_TOKEN_FILE=/token \\`,
            "  plumbline-collector --proc /host/proc --sys /host/sys --root /host --spool /spool",
          ].join("\n"),
        },
      ],
    },
    {
      key: "prometheus",
      title: "Prometheus",
      note: "Nodes that node_exporter is scraped on already, without a collector: fewer sources; slab caches come with --collector.slabinfo of a node_exporter that runs as root. Remote write 1.0. docs/operations.md has the list that keeps the rest of the metrics at home.",
      steps: [
        {
          text: "Keep the token where the user that Prometheus runs as, here prometheus, reads it, as root:",
          command: `printf '%s\\n' '${token}' | install -m 400 -o prometheus /dev/stdin /etc/prometheus/plumbline.token`,
        },
        {
          text: "Add to prometheus.yml, and reload:",
          command: [
            "remote_write:",
            `  - url: ${server}/api/v1/write`,
            "    authorization: { credentials_file: /etc/prometheus/plumbline.token }",
          ].join("\n"),
        },
      ],
    },
  ];
}

function systemdCommands(
  server: string,
  token: string,
  program: { readonly from: string; readonly to: string; readonly sha256: string },
  unit: { readonly from: string; readonly to: string },
): string {
  return [
    "install -d -m 755 /usr/local/lib/plumbline && install -d -m 700 /etc/plumbline",
    `curl -fsS ${server}/${program.from} -o /usr/local/lib/plumbline/${program.to}`,
    `echo '${program.sha256}  /usr/local/lib/plumbline/${program.to}' | sha256sum -c -`,
    `curl -fsS ${server}/${unit.from} -o /etc/systemd/system/${unit.to}`,
    `(umask 077; printf '%s\\n' '${token}' > /etc/plumbline/token)`,
    `echo PLUMBLINE_SERVER=${server} > /etc/plumbline/collector.env`,
    `systemctl daemon-reload && systemctl enable --now ${unit.to.replace(".service", "")}`,
  ].join(" &&\n");
}

function daemonSet({ server, token, sha256 }: CommandInputs): string {
  return `apiVersion: v1
kind: Namespace
metadata:
  name: plumbline
  labels:
    pod-security.kubernetes.io/enforce: privileged
    pod-security.kubernetes.io/warn: privileged
---
apiVersion: v1
kind: Secret
metadata:
  name: plumbline-collector
  namespace: plumbline
stringData:
  token: "${token ?? NO_TOKEN}"
---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: plumbline-collector
  namespace: plumbline
spec:
  selector:
    matchLabels: { app: plumbline-collector }
  updateStrategy:
    rollingUpdate: { maxUnavailable: 10% }
  template:
    metadata:
      labels: { app: plumbline-collector }
    spec:
      hostPID: true
      hostNetwork: true
      dnsPolicy: ClusterFirstWithHostNet
      automountServiceAccountToken: false
      tolerations: [{ operator: Exists }]
      initContainers:
        - name: fetch
          image: node:20-slim
          command:
            - node
            - -e
            - |
              const { createHash } = require("node:crypto");
              const { writeFileSync } = require("node:fs");
              fetch("${server}/collector.js").then(async (answer) => {
                if (!answer.ok) throw new Error("the server answered " + answer.status);
                const body = Buffer.from(await answer.arrayBuffer());
                if (createHash("sha256").update(body).digest("hex") !== "${sha256.js}")
                  throw new Error("the collector of the server has changed: take its manifest anew");
                writeFileSync("/program/collector.mjs", body);
              });
          volumeMounts:
            - { name: program, mountPath: /program }
      containers:
        - name: collector
          image: node:20-slim
          command: [node, --max-old-space-size=64, --max-semi-space-size=1, /program/collector.mjs, run]
          env:
            - { name: PLUMBLINE_SERVER, value: "${server}" }
            - { name: PLUMBLINE_TOKEN_FILE, value: /token/token }
            - { name: PLUMBLINE_NODE, valueFrom: { fieldRef: { fieldPath: spec.nodeName } } }
            - { name: PLUMBLINE_PROC, value: /host/proc }
            - { name: PLUMBLINE_SYS, value: /host/sys }
            - { name: PLUMBLINE_ROOT, value: /host }
            - { name: PLUMBLINE_SPOOL, value: /spool }
          securityContext:
            runAsUser: 0
            privileged: false
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL], add: [SYS_PTRACE] }
          resources:
            requests: { cpu: 10m, memory: 64Mi }
            limits: { memory: 192Mi }
          volumeMounts:
            - { name: program, mountPath: /program, readOnly: true }
            - { name: token, mountPath: /token, readOnly: true }
            - { name: spool, mountPath: /spool }
            - { name: proc, mountPath: /host/proc, readOnly: true }
            - { name: sys, mountPath: /host/sys, readOnly: true }
            - { name: run, mountPath: /host/run, readOnly: true, mountPropagation: HostToContainer }
            - { name: log, mountPath: /host/var/log, readOnly: true }
            - { name: os-release, mountPath: /host/etc/os-release, readOnly: true }
      volumes:
        - { name: program, emptyDir: {} }
        - { name: token, secret: { secretName: plumbline-collector } }
        - { name: spool, hostPath: { path: /var/lib/plumbline-collector, type: DirectoryOrCreate } }
        - { name: proc, hostPath: { path: /proc } }
        - { name: sys, hostPath: { path: /sys } }
        - { name: run, hostPath: { path: /run } }
        - { name: log, hostPath: { path: /var/log } }
        - { name: os-release, hostPath: { path: /etc/os-release, type: File } }
`;
}
