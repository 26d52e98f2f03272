{{/* Where the brokers are, in the order of their configurations nats-1 to nats-3. */}}
{{- define "holdpoint.hosts" -}}
{{- $hosts := list -}}
{{- range until 3 }}{{ $hosts = append $hosts (printf "tls://%s-nats-%d.%s-nats:4222" $.Release.Name . $.Release.Name) }}{{ end -}}
{{- join "," $hosts -}}
{{- end }}

{{- define "holdpoint.labels" -}}
app.kubernetes.io/name: holdpoint
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "holdpoint.image" -}}
image: {{ printf "%s:%s" .Values.image.repository .Values.image.tag | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{- define "holdpoint.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "holdpoint.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{/* Files lie under flat names in secrets, with two underscores for each slash, and are their owner's alone here. */}}
{{- define "holdpoint.unpack" -}}
name: unpack
{{ include "holdpoint.image" .root }}
command:
  - sh
  - -ceu
  - |
    umask 077
    mkdir -p "$HP_STATE_DIR/run" "$HP_STATE_DIR/sample/scratch-space"
    for file in /from/*/*; do
      to=$HP_STATE_DIR/$(basename "$file" | sed 's#__#/#g')
      mkdir -p "$(dirname "$to")"
      cat "$file" >"$to"
    done
env: {{- include "holdpoint.environment" . | nindent 2 }}
securityContext: {{- include "holdpoint.containerSecurity" . | nindent 2 }}
resources: {requests: {cpu: 50m, memory: 32Mi}, limits: {memory: 64Mi}}
volumeMounts:
  - {name: state, mountPath: /var/lib/holdpoint}
  - {name: secrets, mountPath: /from/secrets, readOnly: true}
  - {name: config, mountPath: /from/config, readOnly: true}
{{- end }}

{{- define "holdpoint.environment" -}}
- {name: HP_TENANT, value: {{ .root.Values.tenant | quote }}}
- {name: HP_ENVIRONMENT, value: {{ .root.Values.environment | quote }}}
- {name: HP_STATE_DIR, value: /var/lib/holdpoint/state}
- {name: HP_CONFIG_DIR, value: /var/lib/holdpoint/state/config}
- {name: HP_BROKER_NODES, value: "3"}
- {name: HP_NATS_URL, value: {{ include "holdpoint.hosts" .root | quote }}}
- {name: HP_HEALTH_PORT, value: "8322"}
- {name: HP_LOG_FORMAT, value: json}
{{- end }}

{{- define "holdpoint.volumes" -}}
- {name: state, emptyDir: {medium: Memory, sizeLimit: 256Mi}}
- {name: tmp, emptyDir: {sizeLimit: 256Mi}}
- {name: secrets, secret: {secretName: {{ printf "%s-%s" .root.Release.Name .secret }}, defaultMode: 0440}}
- {name: config, configMap: {name: {{ printf "%s-config" .root.Release.Name }}}}
{{- end }}

{{/* A service: root, name, secret, serve, replicas, resources, and whether it has the ledger. */}}
{{- define "holdpoint.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ printf "%s-%s" .root.Release.Name .name }}
  labels: {{- include "holdpoint.labels" . | nindent 4 }}
spec:
  replicas: {{ .replicas }}
  strategy: {type: {{ if .single }}Recreate{{ else }}RollingUpdate{{ end }}}
  selector:
    matchLabels: {{- include "holdpoint.labels" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "holdpoint.labels" . | nindent 8 }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: 30
      securityContext: {{- include "holdpoint.podSecurity" . | nindent 8 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "holdpoint.labels" . | nindent 14 }}
      initContainers:
        - {{- include "holdpoint.unpack" . | nindent 10 }}
      containers:
        - name: holdpoint
          {{- include "holdpoint.image" .root | nindent 10 }}
          args: [serve, {{ .serve }}]
          workingDir: /var/lib/holdpoint/state
          env: {{- include "holdpoint.environment" . | nindent 12 }}
            {{- if .ledger }}
            - {name: HP_LEDGER_URL, valueFrom: {secretKeyRef: {name: {{ .root.Values.ledger.urlSecret }}, key: url}}}
            {{- end }}
          securityContext: {{- include "holdpoint.containerSecurity" . | nindent 12 }}
          resources: {{- toYaml .resources | nindent 12 }}
          # Health is served on loopback alone, so it is asked for inside.
          startupProbe: {exec: {command: &alive [{{ include "holdpoint.asks" "healthz" }}]}, failureThreshold: 60, timeoutSeconds: 5}
          livenessProbe: {exec: {command: *alive}, periodSeconds: 20, timeoutSeconds: 10}
          readinessProbe: {exec: {command: [{{ include "holdpoint.asks" "readyz" }}]}, timeoutSeconds: 10}
          volumeMounts:
            - {name: state, mountPath: /var/lib/holdpoint}
            - {name: tmp, mountPath: /tmp}
      volumes: {{- include "holdpoint.volumes" . | nindent 8 }}
{{- if gt (int .replicas) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ printf "%s-%s" .root.Release.Name .name }}
  labels: {{- include "holdpoint.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "holdpoint.labels" . | nindent 6 }}
{{- end }}
{{- end }}

{{- define "holdpoint.asks" -}}
python, -c, "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8322/{{ . }}', timeout=4)"
{{- end }}
