// The Helm chart: one replica on SQLite with a volume, several on PostgreSQL.

import { service } from "./service.ts";
import { head, yaml } from "./yaml.ts";

const { name, description, version, image, port, volume, user, health, ready, repository } = service;

const chart = yaml({
  apiVersion: "v2",
  name,
  description,
  type: "application",
  version,
  appVersion: version,
  home: repository,
  sources: [repository],
  kubeVersion: ">=1.25.0-0",
});

const values = `${head("The settings of the chart.")}

image:
  repository: ${image}
  # Empty: the version of the chart.
  tag: ""

# The URL that users open, such as https://analytics.example.com
publicUrl: ""
# The networks of the ingress controller, such as 10.0.0.0/8
trustedProxies: ""
# The end of the set-up link: 32 characters or more. Empty: the chart makes one.
setupToken: ""

postgres:
  # A Secret whose key DATABASE_URL is the URL of a PostgreSQL database. Empty: SQLite, in a volume.
  secretName: ""
  # With SQLite there is one.
  replicas: 2

persistence:
  size: 5Gi
  # Empty: the default of the cluster.
  storageClass: ""

# A Secret with more settings, such as TRACKING_SECRET. Empty: none.
settingsSecretName: ""

ingress:
  enabled: false
  className: ""
  host: analytics.example.com
  tlsSecretName: ""

resources:
  requests:
    cpu: 100m
    memory: ${service.memoryMb}Mi
  limits:
    memory: 1Gi
`;

const labels = `app.kubernetes.io/name: ${name}
    app.kubernetes.io/instance: {{ .Release.Name }}`;
const metadata = (suffix = "") => `metadata:
  name: {{ .Release.Name }}${suffix}
  labels:
    ${labels}`;

const secret = `{{- $old := lookup "v1" "Secret" .Release.Namespace (printf "%s-setup" .Release.Name) }}
apiVersion: v1
kind: Secret
${metadata("-setup")}
type: Opaque
stringData:
  {{- if .Values.setupToken }}
  SETUP_TOKEN: {{ .Values.setupToken | quote }}
  {{- else if $old }}
  SETUP_TOKEN: {{ index $old.data "SETUP_TOKEN" | b64dec | quote }}
  {{- else }}
  SETUP_TOKEN: {{ randAlphaNum 48 | quote }}
  {{- end }}
`;

const probe = (path: string, seconds: number, failures: number) =>
  `{ httpGet: { path: ${path}, port: http }, periodSeconds: ${seconds}, failureThreshold: ${failures} }`;

const deployment = `apiVersion: apps/v1
kind: Deployment
${metadata()}
spec:
  {{- if .Values.postgres.secretName }}
  replicas: {{ .Values.postgres.replicas }}
  {{- else }}
  # Two processes must not write one SQLite file on two machines.
  replicas: 1
  strategy: { type: Recreate }
  {{- end }}
  selector:
    matchLabels:
      app.kubernetes.io/name: ${name}
      app.kubernetes.io/instance: {{ .Release.Name }}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: ${name}
        app.kubernetes.io/instance: {{ .Release.Name }}
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: ${service.stopSeconds}
      securityContext:
        runAsNonRoot: true
        runAsUser: ${user}
        runAsGroup: ${user}
        fsGroup: ${user}
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: app
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          ports:
            - { name: http, containerPort: ${port} }
          env:
            - { name: PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
            - { name: TRUSTED_PROXIES, value: {{ .Values.trustedProxies | quote }} }
          envFrom:
            - secretRef: { name: "{{ .Release.Name }}-setup" }
            {{- with .Values.postgres.secretName }}
            - secretRef: { name: {{ . | quote }} }
            {{- end }}
            {{- with .Values.settingsSecretName }}
            - secretRef: { name: {{ . | quote }} }
            {{- end }}
          startupProbe: ${probe(health, 2, 150)}
          livenessProbe: ${probe(health, 10, 3)}
          readinessProbe: ${probe(ready, 5, 2)}
          resources: {{- toYaml .Values.resources | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if not .Values.postgres.secretName }}
            - { name: data, mountPath: ${volume} }
            {{- end }}
      volumes:
        - { name: tmp, emptyDir: {} }
        {{- if not .Values.postgres.secretName }}
        - { name: data, persistentVolumeClaim: { claimName: {{ .Release.Name }} } }
        {{- end }}
`;

const claim = `{{- if not .Values.postgres.secretName }}
apiVersion: v1
kind: PersistentVolumeClaim
${metadata()}
  annotations:
    # The data outlives the release.
    helm.sh/resource-policy: keep
spec:
  accessModes: [ReadWriteOnce]
  {{- with .Values.persistence.storageClass }}
  storageClassName: {{ . | quote }}
  {{- end }}
  resources: { requests: { storage: {{ .Values.persistence.size }} } }
{{- end }}
`;

const serviceTemplate = `apiVersion: v1
kind: Service
${metadata()}
spec:
  selector:
    ${labels}
  ports:
    - { name: http, port: 80, targetPort: http }
`;

const ingress = `{{- with .Values.ingress }}
{{- if .enabled }}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ $.Release.Name }}
spec:
  {{- with .className }}
  ingressClassName: {{ . | quote }}
  {{- end }}
  {{- with .tlsSecretName }}
  tls:
    - { hosts: [{{ $.Values.ingress.host | quote }}], secretName: {{ . | quote }} }
  {{- end }}
  rules:
    - host: {{ .host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: {{ $.Release.Name }}, port: { name: http } } }
{{- end }}
{{- end }}
`;

const notes = `Set up your organization at the URL of the service, with the path that this prints:

  kubectl get secret -n {{ .Release.Namespace }} {{ .Release.Name }}-setup \\
    -o go-template='{{ "{{" }} printf "/set-up/%s" (.data.SETUP_TOKEN | base64decode) {{ "}}" }}'
`;

export function helmFiles(): Record<string, string> {
  const templates = {
    "secret.yaml": secret,
    "deployment.yaml": deployment,
    "claim.yaml": claim,
    "service.yaml": serviceTemplate,
    "ingress.yaml": ingress,
    "NOTES.txt": notes,
  };
  return {
    "helm/Chart.yaml": chart,
    "helm/values.yaml": values,
    ...Object.fromEntries(Object.entries(templates).map(([file, text]) => [`helm/templates/${file}`, text])),
  };
}
